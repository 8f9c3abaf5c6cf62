import type { Stack } from "./stack";
import { peer } from "./things";

type Share = Record<string, unknown>;

/** The arguments of a site, and the options of it in the words of Pulumi's Node.js SDK. */
export interface Site {
  shares: Record<string, Share>;
  opts?: { protect?: boolean };
  [argument: string]: unknown;
}

/** Writes the program with these sites into the folder of a stack. */
export type Declare = (stack: Stack, sites: Record<string, Site>) => void;

const web = { target: "web.internal:443", ingressPort: 443 };
const db = { target: "db.internal:5432", ingressPort: 5432 };
const mail = { target: "mail.internal:993", ingressPort: 993 };
const berlin = (shares: Record<string, Share>, opts?: Site["opts"]): Record<string, Site> => ({
  berlin: { ...peer, locationId: "loc-1", envZId: "env-1", shares, ...(opts && { opts }) },
});
const vienna = (shares: Record<string, Share>): Record<string, Site> => ({
  vienna: { ...peer, peerCidr: "10.30.0.0/16", locationId: "loc-2", envZId: "env-1", asSet: true, shares },
});
const edited = { ...db, target: "db2.internal:5432" };
const renamed = berlin({ web, db: edited, post: mail });

/** What a user does to a site of three shares, and to one whose shares are a set. `id` is that of the share that was retained. */
const edits: [name: string, sites: (id: string) => Record<string, Site>][] = [
  ["declare", () => ({ ...berlin({ web, db, mail }), ...vienna({ web, db }) })],
  [
    "change and rename",
    () => ({ ...berlin({ web, db: edited, post: { ...mail, formerly: "mail" } }), ...vienna({ web, db }) }),
  ],
  [
    "protect",
    () => ({
      ...berlin({ web: { ...web, protect: true }, db: edited, post: mail }, { protect: true }),
      ...vienna({ web, db }),
    }),
  ],
  [
    "remove what is protected",
    () => ({ ...berlin({ db: edited, post: mail }, { protect: true }), ...vienna({ web, db }) }),
  ],
  ["protect no more", () => ({ ...renamed, ...vienna({ web, db }) })],
  ["retain", () => ({ ...renamed, ...vienna({ web, db: { ...db, retain: true } }) })],
  ["remove what is retained", () => ({ ...renamed, ...vienna({ web }) })],
  ["adopt", (adopt) => ({ ...renamed, ...vienna({ web, db: { ...db, adopt } }) })],
];

/** Requests in any order, with names in place of ids: Pulumi registers resources as their inputs come. */
function writesOf(stack: Stack): string[] {
  const names = [...stack.emulator.tunnels(), ...stack.emulator.shares()].map(({ id, name }) => [id, name] as const);
  const nameOf = new Map(names);
  return stack
    .writes()
    .map((write) => write.replace(/\b(tnl|shr)-\d+\b/g, (id) => nameOf.get(id) ?? id))
    .sort();
}

/** The writes of each edit, of a second run of the last program, and of the destroy. Only the removal of what is protected fails. */
export async function lifeOf(stack: Stack, declare: Declare): Promise<Record<string, string[]>> {
  const life: Record<string, string[]> = {};
  let retained = "";
  const up = () => stack.run("up", "--yes", "--skip-preview", "--stack", "test");
  for (const [name, sites] of edits) {
    declare(stack, sites(retained));
    const run = await up();
    const isRefused = name === "remove what is protected";
    if (isRefused !== (run.code !== 0)) throw new Error(`${name}: ${run.text}`);
    life[name] = writesOf(stack);
    retained = (stack.kept()["vienna-shares"]?.outputs as { ids: Record<string, string> }).ids["db"] ?? retained;
  }
  expect(await up()).toMatchObject({ code: 0, errors: [], steps: [] });
  expect(stack.writes()).toEqual([]);
  expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
  life["destroy"] = writesOf(stack);
  return life;
}
