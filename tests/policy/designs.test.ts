import { baseline, policies, strict } from "../../policy/index";
import { verdicts, violations } from "./checking";
import { designs, resourcesOf } from "./designs";
import type { tokens } from "./tables";

describe.each(["dynamic", "plugin"] as (keyof typeof tokens)[])("sound designs with %s resources", (host) => {
  describe.each(Object.entries({ baseline, strict }))("in the preset %s", (_name, preset) => {
    it.each(designs)("no policy says anything of: $it", async (design) => {
      expect(await verdicts(resourcesOf(design, host), preset)).toEqual([]);
    });
  });
});

it("are told from one that is not sound", async () => {
  const [policy] = policies;
  const unsound = resourcesOf({ it: "", tunnels: { hq: { peerPublicIp: "10.0.0.1" } } }, "dynamic");
  expect(policy && (await violations(policy, unsound))).toHaveLength(1);
});
