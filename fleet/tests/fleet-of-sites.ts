import { fleet } from "frontdoor-fleet";

const cities = ["paris", "rome", "boston"];

export default fleet({
  name: "branches",
  defaults: { program: "programs/site", frontDoor: "fd-1", secrets: { "frontdoor:token": "env:FRONTDOOR_TOKEN" } },
  stacks: Object.fromEntries(cities.map((city, at) => [city, { config: { number: String(at + 1) } }])),
});
