import { both, hq, made, postTunnel, ready, type Row, showAll, showNothing, type Step, web } from "../row";

/** Both addresses, and what to do. */
const seenElsewhere =
  /http:\/\/127\.0\.0\.2:\d+\/frontdoor does not show it, and it was last seen at http:\/\/127\.0\.0\.1\/frontdoor\. .*`pulumi up --refresh=false`.*`pulumi state delete <URN>`\. \[seen-elsewhere\]/;

/** A command at another address, where nothing is, fails and leaves the state as it was. */
const refused = (command: Pick<Step, "does"> & { program?: object }, writes: string[] = [], effects: string[] = []) =>
  ({
    ...command,
    isElsewhere: true,
    before: showNothing,
    sees: { writes, effects, inAnyOrder: true, errors: [seenElsewhere] },
  }) as Step;

/** A command at the first address, where everything is. */
const back = (step: Step): Step => ({ ...step, before: showAll });

const target = { target: "web2.internal:443" };
const changed = { tunnels: { hq }, shares: { web: { ...web, ...target } } };
const patch = 'PATCH /ipsec-shares/<web> {"target":"web2.internal:443"}';

const onSet = (shares: object) => ({
  tunnels: { hq },
  sets: { services: { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", shares } },
});
const [a, b] = [
  { target: "a.internal:443", ingressPort: 443 },
  { target: "b.internal:443", ingressPort: 444 },
];

const post = (key: string, share: object) =>
  `POST /ipsec-shares ${JSON.stringify({ name: `engine-test-services-${key}`, ipsecTunnelId: "<hq>", envZId: "env-1", ...share })}`;

export const addresses: Row[] = [
  {
    name: "at another address where nothing is, refresh, up and destroy fail and keep the state, and at the first one all goes on",
    steps: [
      made,
      refused({ does: "refresh" }),
      refused({ does: "up", program: changed }, [], ["update web"]),
      refused({ does: "destroy" }, ["DELETE /ipsec-shares/<web>"], ["delete web"]),
      back({ does: "refresh", sees: {} }),
      back({
        does: "up",
        program: changed,
        sees: { effects: ["update web"], writes: [patch], kept: { hq: ready, web: target } },
      }),
      back({
        does: "destroy",
        sees: {
          effects: ["delete hq", "delete web"],
          writes: ["DELETE /ipsec-shares/<web>", "DELETE /ipsec-tunnels/<hq>"],
          kept: {},
        },
      }),
    ],
  },
  {
    name: "what is found at another address goes on there, and its absence counts there from the next write on",
    steps: [
      made,
      { does: "refresh", isElsewhere: true, sees: {} },
      { does: "up", isElsewhere: true, program: both, sees: {} },
      {
        does: "up",
        isElsewhere: true,
        program: changed,
        sees: { effects: ["update web"], writes: [patch], kept: { hq: ready, web: target } },
      },
      {
        does: "refresh",
        isElsewhere: true,
        before(service, id) {
          service.removeShare(id("web"));
        },
        sees: { effects: ["delete web"], kept: { hq: ready } },
      },
    ],
  },
  {
    name: "each share of a set is kept at another address where nothing is",
    steps: [
      {
        does: "up",
        program: onSet({ a, b }),
        sees: {
          effects: ["create hq", "create services"],
          writes: [postTunnel(), post("a", a), post("b", b)],
          inAnyOrder: true,
          kept: { hq: ready, services: { shares: { a: ready, b: ready } } },
        },
      },
      refused({ does: "refresh" }),
      refused(
        { does: "up", program: onSet({ a: { ...a, ...target }, b: { ...b, ...target } }) },
        [],
        ["update services"],
      ),
      refused({ does: "up", program: onSet({ a }) }, ["DELETE /ipsec-shares/<services[b]>"], ["update services"]),
      refused(
        { does: "destroy" },
        ["DELETE /ipsec-shares/<services[a]>", "DELETE /ipsec-shares/<services[b]>"],
        ["delete services"],
      ),
      back({ does: "refresh", sees: {} }),
    ],
  },
];
