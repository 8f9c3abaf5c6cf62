import type { Row, Seen, Step } from "../row";
import { seeded } from "./program";

/** The next up finds what was left as it was, or as a refresh in between has seen it. */
export const left = ({ next, refresh, ...row }: Row & { next: Step; refresh: Seen }): Row[] => [
  { ...row, steps: [...row.steps, next] },
  {
    name: `${row.name}; so after a refresh`,
    steps: [...row.steps, { does: "refresh", sees: refresh }, next],
  },
];

/** Of what is not ready only a read tells what the service has filled in. */
export const found = {
  web: { effects: ["update web"], kept: { web: { locationId: seeded.locationId } } },
  hq: { effects: ["update hq"], kept: { hq: { nlbPrivateIp: "10.90.0.10" } } },
} satisfies Record<string, Seen>;
