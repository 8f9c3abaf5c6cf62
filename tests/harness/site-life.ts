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
const leaving = { ...edited, retain: true };
const kept = { protect: true };

/** What a user does to a site of three shares, and to one whose shares are a set. */
const edits: [name: string, sites: (ids: { single: string; inSet: string }) => Record<string, Site>][] = [
  ["declare", () => ({ ...berlin({ web, db, mail }), ...vienna({ web, db }) })],
  [
    "change, rename, protect and retain",
    () => ({
      ...berlin({ web: { ...web, ...kept }, db: leaving, post: { ...mail, formerly: "mail" } }, kept),
      ...vienna({ web, db: leaving }),
    }),
  ],
  [
    "remove what is protected",
    () => ({ ...berlin({ db: leaving, post: mail }, kept), ...vienna({ web, db: leaving }) }),
  ],
  ["protect no more", () => ({ ...berlin({ web, db: leaving, post: mail }), ...vienna({ web, db: leaving }) })],
  ["remove what is retained", () => ({ ...berlin({ web, post: mail }), ...vienna({ web }) })],
  [
    "adopt",
    ({ single, inSet }) => ({
      ...berlin({ web, post: mail, db: { ...edited, adopt: single } }),
      ...vienna({ web, db: { ...edited, adopt: inSet } }),
    }),
  ],
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
  let ids = { single: "", inSet: "" };
  const up = () => stack.run("up", "--yes", "--skip-preview", "--stack", "test");
  for (const [name, sites] of edits) {
    declare(stack, sites(ids));
    const run = await up();
    if ((name === "remove what is protected") !== (run.code !== 0)) throw new Error(`${name}: ${run.text}`);
    life[name] = writesOf(stack);
    if (name === "declare") {
      const { outputs } = stack.kept()["vienna-shares"] ?? {};
      ids = { single: stack.id("berlin-db"), inSet: (outputs as { ids: { db: string } }).ids.db };
    }
  }
  expect(await up()).toMatchObject({ code: 0, errors: [], steps: [] });
  expect(stack.writes()).toEqual([]);
  expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
  expect(stack.alive()).toEqual([]);
  life["destroy"] = writesOf(stack);
  return life;
}
