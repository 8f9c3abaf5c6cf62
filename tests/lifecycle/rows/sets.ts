import { type Row, type Step, hq, postTunnel, ready, seeded } from "../row";

const port = (ingressPort: number, more: object = {}) => ({
  target: `host-${ingressPort}.internal:443`,
  ingressPort,
  ...more,
});
const web = port(443);
const db = port(5432);
const both = { web, db };

const program = (shares: object, tunnel: object = {}) => ({
  tunnels: { hq: { ...hq, ...tunnel } },
  sets: { services: { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", shares } },
});
const more = (shares: object) => ({ ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", shares });
const single = (ingressPort: number) => ({ ...port(ingressPort), ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1" });
const sent = (key: string, { target, ingressPort }: { target: string; ingressPort: number }, tunnel = "<hq>") =>
  JSON.stringify({ name: `engine-test-services-${key}`, ipsecTunnelId: tunnel, envZId: "env-1", target, ingressPort });
const post = (key: string, share: typeof web) => `POST /ipsec-shares ${sent(key, share)}`;
const posts = [post("web", web), post("db", db)];

/** A site with these applications, which have a name because the derived one has a hash. */
const site = (shares: Record<string, object>, more: object = {}) => ({
  sites: {
    hq: {
      ...{ ...hq, ...more, envZId: "env-1" },
      shares: Object.fromEntries(Object.entries(shares).map(([key, share]) => [key, { ...share, name: key }])),
    },
  },
});
const postOfSite = (key: string, share: typeof web) =>
  `POST /ipsec-shares ${sent(key, share).replace("engine-test-services-", "")}`;

const made = {
  does: "up",
  program: program(both),
  sees: {
    effects: ["create hq", "create services"],
    writes: [postTunnel(), ...posts],
    inAnyOrder: true,
    kept: { hq: ready, services: { ...ready, shares: { web: ready, db: ready } } },
  },
} satisfies Step;

const goesOn: Step = {
  does: "up",
  program: program(both),
  sees: { effects: ["update services"], kept: { hq: ready, services: ready } },
};

/** Sets: each of their shares as one by itself. */
export const sets: Row[] = [
  {
    name: "a set is made, changed by key with exactly what differs, and destroyed before its tunnel",
    steps: [
      { does: "preview", program: program(both), sees: { effects: ["create hq", "create services"], isSilent: true } },
      made,
      { does: "up", program: program({ db, web }), sees: {} },
      {
        does: "up",
        program: program({ db: { ...db, target: "db2:1" }, api: port(8443) }),
        sees: {
          effects: ["update services"],
          writes: [
            'PATCH /ipsec-shares/<services[db]> {"target":"db2:1"}',
            post("api", port(8443)),
            "DELETE /ipsec-shares/<services[web]>",
          ],
          inAnyOrder: true,
          kept: { hq: ready, services: { ...ready, shares: { db: { target: "db2:1" }, api: ready } } },
        },
      },
      {
        does: "destroy",
        sees: {
          effects: ["delete hq", "delete services"],
          writes: [
            "DELETE /ipsec-shares/<services[db]>",
            "DELETE /ipsec-shares/<services[api]>",
            "DELETE /ipsec-tunnels/<hq>",
          ],
          inAnyOrder: true,
          kept: {},
        },
      },
    ],
  },
  {
    name: "a refresh shows the key of a share that was moved to another tunnel by hand, and both tunnels",
    steps: [
      made,
      {
        does: "refresh",
        before(service, id) {
          service.seedTunnel(seeded);
          service.patchShare(id("services[web]"), { ipsecTunnelId: seeded.id });
        },
        sees: {
          effects: ["update services"],
          says: [
            /IPsec share set "engine-test-services": shares\["web"\] \(<services\[web\]>\): Frontdoor shows `ipsecTunnelId` "tnl-seeded" instead of "<hq>"\..*\[value-differs\]/,
          ],
          kept: { hq: ready, services: { shares: { web: { ipsecTunnelId: seeded.id }, db: ready } } },
        },
      },
      {
        ...goesOn,
        sees: { ...goesOn.sees, writes: ['PATCH /ipsec-shares/<services[web]> {"ipsecTunnelId":"<hq>"}'] },
      },
    ],
  },
  {
    name: "keys of a set that exchange their ports are refused at preview, and a key waits until another one has left its port",
    settings: { duplicateIngressPort: "refused" },
    steps: [
      made,
      ...(["preview", "up"] as const).map((does) => ({
        does,
        program: program({ web: { ...web, ingressPort: 5432 }, db: { ...db, ingressPort: 443 } }),
        sees: {
          errors: [
            /services: .*"db".*"web".*If the keys follow the order of a list, name them instead\. \[port-cycle\]/,
          ],
          isSilent: true as const,
        },
      })),
      {
        does: "up",
        program: program({ web: { ...web, ingressPort: 5432 }, db: { ...db, ingressPort: 25 } }),
        sees: {
          effects: ["update services"],
          writes: [
            'PATCH /ipsec-shares/<services[db]> {"ingressPort":25}',
            'PATCH /ipsec-shares/<services[web]> {"ingressPort":5432}',
          ],
          kept: { hq: ready, services: { shares: { web: { ingressPort: 5432 }, db: { ingressPort: 25 } } } },
        },
      },
    ],
  },
  {
    name: "a key of a set that is renamed with an explicit name, to another port, frees the name first",
    settings: { duplicateShareName: "refused" },
    steps: [
      {
        does: "up",
        program: program({ web: { ...web, name: "crm" } }),
        sees: {
          effects: ["create hq", "create services"],
          writes: [postTunnel(), post("web", web).replace("engine-test-services-web", "crm")],
          kept: { hq: ready, services: ready },
        },
      },
      {
        does: "up",
        program: program({ crm: { ...db, name: "crm" } }),
        sees: {
          effects: ["update services"],
          writes: ["DELETE /ipsec-shares/<services[web]>", post("crm", db).replace("engine-test-services-crm", "crm")],
          kept: { hq: ready, services: { ...ready, shares: { crm: { name: "crm", ingressPort: 5432 } } } },
        },
      },
    ],
  },
  {
    name: "a set that ignoreChanges keeps on a tunnel that is replaced is refused once, before a write",
    steps: [
      made,
      {
        does: "preview",
        program: {
          tunnels: { hq: { ...hq, locationId: "loc-2" } },
          sets: { services: { ...more(both), opts: { ignoreChanges: ["ipsecTunnelId"] } } },
        },
        sees: {
          effects: ["replace hq"],
          errors: [/^services: .*ipsecTunnelId .*has a problem: is <hq>, .*`ignoreChanges`.*\[tunnel-replaced\]$/],
        },
      },
    ],
  },
  {
    name: "a key that is gone in Frontdoor is told once, and another key gets its port",
    settings: { duplicateIngressPort: "refused" },
    steps: [
      made,
      {
        does: "up",
        program: program({ web: { ...web, ingressPort: 8443 }, db: { ...db, ingressPort: 443 } }),
        before: (service, id) => {
          service.removeShare(id("services[web]"));
        },
        sees: {
          effects: ["update services"],
          writes: ['PATCH /ipsec-shares/<services[db]> {"ingressPort":443}'],
          errors: [/^services: [^;]*1 of 2 shares [^;]*"web"[^;]*\[share-gone\][^;]*\[set-incomplete\]$/m],
          kept: { hq: ready, services: { shares: { db: { ingressPort: 443 } } } },
        },
      },
    ],
  },
  {
    name: "a set in a secret environment keeps it secret, also in each of its shares",
    steps: [
      {
        does: "up",
        program: {
          tunnels: { hq },
          sets: { services: { ipsecTunnelId: { tunnel: "hq" }, envZId: { secret: "hush-env" }, shares: { web } } },
        },
        sees: {
          effects: ["create hq", "create services"],
          writes: [postTunnel(), post("web", web).replace("env-1", "hush-env")],
          kept: { hq: ready, services: { ...ready, envZId: "[secret]" } },
        },
      },
    ],
  },
  {
    name: "a set without shares is deployed without a request, and stays when it loses its last share",
    steps: [
      {
        does: "up",
        program: program({}),
        sees: {
          effects: ["create hq", "create services"],
          writes: [postTunnel()],
          kept: { hq: ready, services: { ...ready, shares: {}, ids: {} } },
        },
      },
      {
        does: "up",
        program: program({ web }),
        sees: {
          effects: ["update services"],
          writes: [post("web", web)],
          kept: { hq: ready, services: { ...ready, shares: { web: ready } } },
        },
      },
      {
        does: "up",
        program: program({}),
        sees: {
          effects: ["update services"],
          writes: ["DELETE /ipsec-shares/<services[web]>"],
          kept: { hq: ready, services: { ...ready, shares: {} } },
        },
      },
      {
        does: "up",
        program: program({}, { peerCidr: "10.21.0.0/16" }),
        sees: {
          effects: ["replace hq", "update services"],
          writes: ["DELETE /ipsec-tunnels/<old hq>", postTunnel({ ...hq, peerCidr: "10.21.0.0/16" })],
          kept: { hq: ready, services: { ...ready, shares: {} } },
        },
      },
      {
        does: "destroy",
        sees: { effects: ["delete hq", "delete services"], writes: ["DELETE /ipsec-tunnels/<hq>"], kept: {} },
      },
    ],
  },
  ...(
    [
      ["two shares", "one", {}, { one: single(443), two: single(443) }],
      ["a share and a set", "one", { services: more({ web }) }, { one: single(443) }],
      ["two sets", "services", { services: more({ web }), other: more({ any: port(443) }) }, {}],
    ] as const
  ).map(([what, first, sets, shares]): Row => ({
    name: `${what} on one port of a tunnel that does not exist yet are refused before anything is sent`,
    steps: [
      {
        does: "preview",
        program: { tunnels: { hq }, sets, shares },
        sees: {
          effects: ["create hq", `create ${first}`],
          errors: [
            /ingressPort .*is also the port of share .* on the same tunnel\. Change the port of one of the two shares\. \[port-twice\]/,
          ],
          isSilent: true,
        },
      },
    ],
  })),
  {
    name: "a key with retain that leaves the set stays at the service, and one line says so",
    steps: [
      { ...made, program: program({ web: { ...web, retain: true }, db }) },
      {
        does: "up",
        program: program({ db }),
        sees: {
          effects: ["update services"],
          says: [/shares\["web"\] \(<services\[web\]>\) stays in Frontdoor.* \[retained\]/],
          leaves: ["services[web]"],
          kept: { hq: ready, services: { ...ready, shares: { db: ready } } },
        },
      },
    ],
  },
  {
    name: "an application with retain that leaves its site stays at the service, and one line says so",
    steps: [
      {
        does: "up",
        program: site({ web: { ...web, retain: true }, db }),
        sees: {
          effects: ["create hq", "create hq-db", "create hq-web"],
          writes: [postTunnel(), postOfSite("web", web), postOfSite("db", db)],
          kept: { hq: ready, "hq-web": ready, "hq-db": ready },
        },
      },
      { does: "refresh", sees: {} },
      {
        does: "up",
        program: site({ db }),
        sees: {
          effects: ["delete hq-web"],
          says: [/IPsec share "web" \(<hq-web>\) stays in Frontdoor.* \[retained\]/],
          leaves: ["hq-web"],
          kept: { hq: ready, "hq-db": ready },
        },
      },
    ],
  },
  {
    name: "retain is set and unset without a request, and counts from the next up on",
    steps: [
      {
        does: "up",
        program: site({ web }),
        sees: {
          effects: ["create hq", "create hq-web"],
          writes: [postTunnel(), postOfSite("web", web)],
          kept: { hq: ready, "hq-web": ready },
        },
      },
      {
        does: "preview",
        program: site({ web: { ...web, retain: true } }),
        sees: { effects: ["update hq-web"], says: [/retain only: nothing is sent/], isSilent: true },
      },
      ...[{ ...web, retain: true }, web].map((share) => ({
        ...{ does: "up" as const, program: site({ web: share }) },
        sees: { effects: ["update hq-web"], kept: { hq: ready, "hq-web": ready } },
      })),
      {
        does: "up",
        program: site({}),
        sees: { effects: ["delete hq-web"], writes: ["DELETE /ipsec-shares/<hq-web>"], kept: { hq: ready } },
      },
    ],
  },
  {
    name: "a share with retain goes with its tunnel: if the tunnel is replaced, if its key leaves in the same edit, and in a destroy",
    steps: [
      {
        does: "up",
        program: site({ web: { ...web, retain: true }, db: { ...db, retain: true } }),
        sees: {
          effects: ["create hq", "create hq-db", "create hq-web"],
          writes: [postTunnel(), postOfSite("web", web), postOfSite("db", db)],
          kept: { hq: ready, "hq-web": ready, "hq-db": ready },
        },
      },
      {
        does: "up",
        program: site({ web: { ...web, retain: true } }, { peerCidr: "10.21.0.0/16" }),
        sees: {
          effects: ["replace hq", "replace hq-db", "replace hq-web"],
          writes: [
            "DELETE /ipsec-shares/<hq-db>",
            "DELETE /ipsec-shares/<old hq-web>",
            "DELETE /ipsec-tunnels/<old hq>",
            postTunnel({ ...hq, peerCidr: "10.21.0.0/16" }),
            postOfSite("web", web),
          ],
          inAnyOrder: true,
          kept: { hq: ready, "hq-web": ready },
        },
      },
      {
        does: "destroy",
        sees: {
          effects: ["delete hq", "delete hq-web"],
          writes: ["DELETE /ipsec-shares/<hq-web>", "DELETE /ipsec-tunnels/<hq>"],
          kept: {},
        },
      },
    ],
  },
];
