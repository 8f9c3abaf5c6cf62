import { type Entry, nameOf } from "../harness/state";
import { mentions, offered } from "./messages";
import type { Owners } from "./owners";
import { type Args, type Program, type Schedule, type Step, without } from "./schedule";
import { flat, mapped, memberName, withoutImport } from "./sets";
import type { Shared } from "./shared";

/** What a user does about a refusal. */
export interface Remedy {
  why: string;
  what: string;
  program: Program;
  /** The step's `--replace` is given once more. */
  isRepeated?: true;
}

/** A stack as its user sees it. */
interface Used {
  /** Which of a schedule's stacks it is. */
  label: string;
  program: Program;
  /** The program of the last successful up. */
  lastGood: Program;
  kept: Entry[];
  /** Logical names of the program. */
  names: string[];
}

/** Edits that can make a second one of the same name before the first goes. */
export const doubles = [
  "rename without alias",
  "move without alias",
  "site without aliases",
  "replaceOnChanges",
  "--replace",
  "deleteBeforeReplace false",
  "retainOnDelete",
];
const handedOver = ["share into a set", "share out of a set", "share out of a set that is updated after it"];
const adoptions = ["rename and adopt", "move and adopt", "adopt another's", ...handedOver];
const left = ["retainOnDelete", "deletedWith", "retained set key removed"];
const others = ["another's exactly alike", "a second stack", "import", "import by file"];

/** The engine's, of what a killed run has imported. */
const notWithImport = "previously-imported resources that still specify an ID may not be replaced";

/** Of a share on a tunnel that is replaced or deleted: the record of the interrupted create does not tell its id. */
const notTold = /IPsec shares still use it: .*An interrupted run may have created (.*)\. Run "pulumi up" with/;
const interruption = "an interruption";

/** What a program may be refused for, and after which edits, of its step or an earlier one; every other one has to succeed. */
const refusals: { says: RegExp; after: string[] }[] = [
  {
    says: /is exactly like it, and nothing shows that this stack has made it/,
    // A share that has left its set with `retain`, and whose key comes back before another resource has adopted it.
    after: [...doubles, ...left, ...others, ...handedOver, "another machine"],
  },
  {
    says: /one tunnel is allowed per front door and location/,
    after: [...doubles, ...left, "another machine", "a second stack"],
  },
  {
    says: /port \d+ of tunnel \S+ is used by share/,
    after: [...doubles, ...left, ...others, "another machine", "share port"],
  },
  // Also what the user has adopted on the advice of a refusal.
  { says: /not adopted:/, after: [...doubles, ...left, ...adoptions, "another machine"] },
  { says: /is the id of ".*" of this program/, after: [...doubles, ...adoptions] },
  { says: notTold, after: [interruption] },
  { says: /IPsec shares still use it/, after: [...left, ...others, "adopt another's"] },
  { says: /marked for protection|is protected/, after: ["protect", "set protected or not"] },
  { says: new RegExp(notWithImport), after: ["import"] },
];

/**
 * Whether every error can be right for what has been edited so far; what is taken back half-way goes by its old names, and nothing says so.
 * Ports in a cycle are refused only in a program that has one.
 */
export function isRefusal(
  text: string,
  { steps }: Schedule,
  step: Step,
  isTakenBack: boolean,
  hasCycle: boolean,
): boolean {
  const until = step.on === "second" ? steps : steps.slice(0, steps.indexOf(step) + 1);
  const edits = until.flatMap((each) => each.edits ?? []);
  if (until.some(({ kill, cancel }) => kill ?? cancel)) edits.push(interruption);
  if (isTakenBack) edits.push("rename without alias");
  // An IpsecSite has no room for `import`: what is put into one before it is imported is made a second time.
  if (["import", "site with aliases"].every((name) => edits.includes(name))) edits.push("site without aliases");
  const errors = [...errorsByName(text).values()];
  const known = refusals.filter(({ after }) => after.some((name) => edits.includes(name)));
  if (hasCycle) known.push({ says: /\[port-cycle\]/, after: [] });
  return (errors.length > 0 ? errors : [text]).every((error) => known.some(({ says }) => says.test(error)));
}

/** Has others take away what is in the way, adopts what the message names and is the stack's own, takes another name for what is another's, else takes the edit back. */
export function remedied(run: Used, step: Step, text: string, shared: Shared): Remedy | undefined {
  const why = firstError(text);
  const { owners, emulator } = shared;
  if (step.on === "second") return { why, what: "under names of its own", program: apart(run.program) };
  if (text.includes(notWithImport)) return { why, what: "import taken out", program: withoutImport(run.program) };
  const [, notToldIds] = notTold.exec(text) ?? [];
  if (notToldIds !== undefined) {
    for (const id of notToldIds.split(", ").filter((each) => !each.startsWith("and "))) emulator.removeShare(id);
    return { why, what: `deleted ${notToldIds} by hand`, program: run.program };
  }
  const { tunnels, shares } = flat(run.program);
  const declared: Record<string, Args> = { ...tunnels, ...shares };
  const adopted = Object.values(declared).map(({ adopt }) => adopt);
  const imported = Object.values(declared).map(({ opts }) => opts?.import);
  if (text.includes("IPsec shares still use it") && clearTheWay(owners, shared, [...adopted, ...imported]) > 0)
    return { why, what: "others left", program: run.program };
  const anew = [...errorsByName(text)].flatMap(([name, error]) => {
    const { deleteBeforeReplace, place } = declared[name]?.opts ?? {};
    // A site takes no options for what is in it.
    const isOpen = deleteBeforeReplace !== true && !place?.startsWith("site:");
    const isMeant = step.flags?.replace?.includes(name) && error.includes("set deleteBeforeReplace: true");
    return isMeant && isOpen ? [name] : [];
  });
  if (anew.length > 0) {
    return { why, what: `made anew ${anew.join()}`, program: deletedFirst(run.program, anew), isRepeated: true };
  }
  const named = [...errorsByName(text)].flatMap(([name, error]) => {
    const toAdopt = offered(error);
    const id = [...emulator.tunnels(), ...emulator.shares()]
      .map((each) => each.id)
      .find((each) => (toAdopt === undefined ? mentions(error, each) : each === toAdopt));
    return id === undefined ? [] : [[name, id] as const];
  });
  // What another resource of the program has is not there to be adopted.
  const isFree = (name: string, id: string) =>
    !run.kept.some((each) => {
      const holder = nameOf(each.urn);
      return each.id === id && holder !== name && run.names.includes(holder);
    });
  const isTried = (name: string, id: string) => declared[name]?.["adopt"] === id;
  const lost = named.filter(([name, id]) => owners.of(id) === run.label && isFree(name, id) && !isTried(name, id));
  if (lost.length > 0) {
    return { why, what: `adopted ${lost.map(([, id]) => id).join()}`, program: adopting(run.program, lost) };
  }
  const program = run.lastGood;
  const isClearer = clearTheWay(owners, shared) > 0;
  if (JSON.stringify(program) !== JSON.stringify(run.program)) return { why, what: "taken back", program };
  if (isClearer) return { why, what: "others left", program };
  // Only a flag asked for it: the next run goes on without the flag.
  return step.flags?.replace ? { why, what: "without --replace", program } : undefined;
}

/** What is nobody's, and what is another's, its owners take away, but for what the program wants; how many that are. */
function clearTheWay(owners: Owners, { emulator }: Shared, wanted: unknown[] = []): number {
  const isInTheWay = ({ id, status }: { id: string; status: string }) =>
    isForeign(owners, id) && status !== "DELETED" && !wanted.includes(id);
  const shares = emulator.shares().filter(isInTheWay);
  const tunnels = emulator.tunnels().filter(isInTheWay);
  for (const { id } of shares) emulator.removeShare(id);
  for (const { id } of tunnels) emulator.removeTunnel(id);
  return shares.length + tunnels.length;
}
export const isForeign = (owners: Owners, id: string) => ["another's", "nobody's"].includes(owners.of(id) ?? "");

/** The engine's diagnostics, by the resource they are about. */
function errorsByName(text: string): Map<string, string> {
  const blocks = text.split(/\n(?= {2}\S.*\):\n)/);
  return new Map(
    blocks.flatMap((block) => {
      const [, name] = /^ {2}\S*frontdoor:(?:index:)?Ipsec\w+ \(([^)]+)\):/.exec(block) ?? [];
      return name !== undefined && block.includes("error:") ? byKey(name, block) : [];
    }),
  );
}

/** What a set says of a share that has no fault of its own: it waits for another's port. */
const ofOthers = /^port \d+ is still that of shares\["/;

/** What a set says of each share that is not as declared. */
function byKey(set: string, block: string): [string, string][] {
  const told = block.matchAll(/shares\["([^"]+)"\]: (.*?)(?=; shares\["|; and \d+ more; |; what is done is kept)/gs);
  const keys = [...told].map(([, key = "", error = ""]): [string, string] => [memberName(set, key), error]);
  const own = keys.filter(([, error]) => !ofOthers.test(error));
  return keys.length === 0 ? [[set, block]] : own;
}

const firstError = (text: string) => /error: (.{0,160})/.exec(text)?.[1]?.trim() ?? "no error told";

const deletedFirst = (program: Program, names: string[]): Program =>
  mapped(program, (name, args) =>
    names.includes(name) ? { ...args, opts: { ...args.opts, deleteBeforeReplace: true } } : args,
  );

function adopting(program: Program, lost: (readonly [string, string])[]): Program {
  const ids = new Map(lost);
  return mapped(program, (name, args) => (ids.has(name) ? { ...args, adopt: ids.get(name) } : args));
}

/** The same under names, and for tunnels in places, that no other stack has. */
function apart(program: Program): Program {
  const places = Object.keys(program.tunnels);
  return mapped(program, (name, args) => ({
    // An address is there once.
    ...without(args, "nlbPrivateIp"),
    name: `second-${name.replace(/\W+/g, " ").trim().replaceAll(" ", "-")}`,
    ...(places.includes(name) && { locationId: `loc-second-${places.indexOf(name)}` }),
  }));
}
