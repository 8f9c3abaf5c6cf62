import type { Row } from "../row";
import { created, guest, made, ready } from "./program";

/** What others do at the service. */
export const drift: Row[] = [
  {
    name: "a refresh shows what was changed by hand, and the next up puts it back",
    steps: [
      created,
      {
        does: "refresh",
        before: (service, id) => service.patchShare(id("web"), { target: "elsewhere:443" }),
        sees: { effects: ["update web"], kept: { web: { ...ready, target: "elsewhere:443" } } },
      },
      {
        does: "up",
        program: { shares: { web: guest } },
        sees: {
          effects: ["update web"],
          writes: ['PATCH /ipsec-shares/<web> {"target":"web.internal:443"}'],
          kept: { web: { ...ready, target: "web.internal:443" } },
        },
      },
    ],
  },
  {
    name: "a refresh drops what was deleted by hand, and the next up makes it anew",
    steps: [
      made,
      {
        does: "refresh",
        before(service, id) {
          service.removeShare(id("web"));
          service.removeTunnel(id("hq"));
        },
        sees: { effects: ["delete hq", "delete web"], kept: {} },
      },
      made,
    ],
  },
];
