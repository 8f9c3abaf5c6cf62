import { boundaries, type Kill, type Program, type Schedule, type Step } from "./schedule";

const tunnel = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const share = { ipsecTunnelId: { tunnel: "t1" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

const nothing: Program = { tunnels: {}, shares: {} };
const bare: Program = { tunnels: { t1: tunnel }, shares: {} };
const whole: Program = { tunnels: { t1: tunnel }, shares: { s1: share } };

type Write = Pick<Kill, "method" | "kind" | "nth">;

/** Create, update and delete of both resources: what is there before, the run, and the write that is hit. The service has no tunnel update: a change replaces. */
const operations: Record<string, { before: Program; run: Pick<Step, "run" | "program">; write: Write }> = {
  "share create": {
    before: bare,
    run: { run: "up", program: whole },
    write: { method: "POST", kind: "share", nth: 0 },
  },
  "share update": {
    before: whole,
    run: { run: "up", program: { ...bare, shares: { s1: { ...share, target: "web2.internal:443" } } } },
    write: { method: "PATCH", kind: "share", nth: 0 },
  },
  "share delete": {
    before: whole,
    run: { run: "up", program: bare },
    write: { method: "DELETE", kind: "share", nth: 0 },
  },
  "tunnel create": {
    before: nothing,
    run: { run: "up", program: bare },
    write: { method: "POST", kind: "tunnel", nth: 0 },
  },
  "tunnel replacement": {
    before: bare,
    run: { run: "up", program: { ...bare, tunnels: { t1: { ...tunnel, peerCidr: "10.30.0.0/16" } } } },
    write: { method: "POST", kind: "tunnel", nth: 0 },
  },
  "tunnel delete": {
    before: bare,
    run: { run: "destroy", program: nothing },
    write: { method: "DELETE", kind: "tunnel", nth: 0 },
  },
};

/** Engine and provider killed at each boundary of each operation: 60 schedules, numbered. */
export function killPoints(): Schedule[] {
  const who = ["engine", "provider"] as const;
  return Object.values(operations).flatMap(({ before, run, write }, o) =>
    boundaries.flatMap((when, b) =>
      who.map((each, w): Schedule => {
        const first: Step[] = before === nothing ? [] : [{ run: "up", program: before, faults: [] }];
        return {
          seed: (o * boundaries.length + b) * who.length + w,
          settings: { provisionMs: 300, teardownMs: 300, duplicateIngressPort: "allowed" },
          credentials: "token",
          steps: [...first, { ...run, faults: [], kill: { ...write, who: each, when } }],
        };
      }),
    ),
  );
}

/** What a kill point is about, in words. */
export const killPointNames: string[] = Object.keys(operations).flatMap((operation) =>
  boundaries.flatMap((when) => ["engine", "provider"].map((who) => `${operation}: ${who} killed ${when}`)),
);
