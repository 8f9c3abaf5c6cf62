export { fleet, type FleetFile } from "./fleet.ts";
