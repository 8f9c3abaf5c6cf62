import type { Row } from "../row";
import { both, postShare, postTunnel, ready } from "./program";

/** Ctrl-C while a tunnel is made: long enough for a busy machine to come in between. */
const settings = { provisionMs: 4_000 };

export const interrupts: Row[] = [
  {
    adapter: "dynamic",
    name: "an interrupt lets a create end and begins nothing else, and the next up goes on",
    settings,
    steps: [
      {
        does: "up",
        program: both,
        interrupt: { after: "POST /ipsec-tunnels", times: 1 },
        sees: { effects: ["create hq"], writes: [postTunnel()], errors: [], kept: { hq: ready } },
      },
      {
        does: "up",
        program: both,
        sees: { effects: ["create web"], writes: [postShare()], kept: { hq: ready, web: ready } },
      },
    ],
  },
  {
    adapter: "dynamic",
    name: "a second interrupt ends a create at once, and the next up takes over what it had begun",
    settings,
    steps: [
      {
        does: "up",
        program: both,
        interrupt: { after: "POST /ipsec-tunnels", times: 2 },
        sees: { effects: ["create hq"], writes: [postTunnel()], errors: [], kept: {} },
      },
      {
        does: "up",
        program: both,
        sees: { effects: ["create hq", "create web"], writes: [postShare()], kept: { hq: ready, web: ready } },
      },
    ],
  },
  ...([1, 2] as const).map((times): Row => ({
    adapter: "plugin",
    name: `an interrupt ends a wait at once and keeps the id, and the next up waits on${times === 2 ? "; so does a second one right after it" : ""}`,
    settings,
    steps: [
      {
        does: "up",
        program: both,
        interrupt: { after: "POST /ipsec-tunnels", times },
        sees: {
          effects: ["create hq"],
          writes: [postTunnel()],
          errors: [/still .* when the run was stopped/],
          kept: { hq: { status: "NEW" } },
        },
      },
      {
        does: "up",
        program: both,
        sees: { effects: ["create web", "update hq"], writes: [postShare()], kept: { hq: ready, web: ready } },
      },
    ],
  })),
];
