import { lagMs, lastPollMs } from "../../provider/consistency";
import { backoff } from "../../provider/time";
import { Secret, flat, partUrn, type Registration, flatState, type Kept } from "../model/program";
import { type Edit, type Program, without } from "./alphabet";
import { type Fault, type FaultKind, refusalWords } from "./faults";
import { type Operation, type Command, mostRequests, type Ran, type Sent, type Snapshot, token } from "./run";
import { type Choices, hush, type Item } from "./service";

/** Resources of another owner. They must never change. */
export const strangers: readonly Item[] = [
  {
    ...{ id: "tnl-stranger", kind: "tunnel", status: "DEPLOYED" },
    fields: { name: "stranger", locationId: "loc-stranger", peerPublicIp: "203.0.113.99", peerCidr: "10.99.0.0/16" },
  },
  {
    ...{ id: "shr-stranger", kind: "share", status: "DEPLOYED" },
    fields: { name: "stranger", ipsecTunnelId: "tnl-stranger", envZId: "env-9", target: "x:1", ingressPort: 443 },
  },
];

const isLiving = ({ status }: { status: string }) => status !== "DELETED" && status !== "DELETING";
export const isStranger = ({ id }: { id: string }) => id.includes("stranger");
const text = (value: unknown, replacer?: (key: string, value: unknown) => unknown) => JSON.stringify(value, replacer);

/** Everything at the service that is not a stranger's. */
const ownIn = ({ items }: Snapshot): Item[] => items.filter((item) => item.status !== "DELETED" && !isStranger(item));

/** Ids of own resources that the service has and the state does not. */
export const orphansIn = (snapshot: Snapshot): Set<string> => {
  const kept = flatState([...snapshot.state]);
  return new Set(ownIn(snapshot).flatMap(({ id }) => (kept.some((each) => each.id === id) ? [] : [id])));
};

/** Violations that must not exist at any moment of a run. */
export function alwaysWrong(before: Snapshot, { items, state, records }: Snapshot): string[] {
  const own = items.filter((item) => isLiving(item) && !isStranger(item));
  const keys = own.map(
    ({ kind, fields }) => `${kind} ${String(fields["name"])} ${String(kind === "tunnel" ? fields["locationId"] : "")}`,
  );
  const twice = keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `duplicate: ${key}`);
  const changed = before.items
    .filter((each) => isStranger(each) && text(items.find(({ id }) => id === each.id)) !== text(each))
    .map(({ id }) => `foreign write: ${id}`);
  const taken = flatState([...state])
    .filter(isStranger)
    .map(({ id }) => `taken over: ${id}`);
  const shown = state.filter(({ inputs, outputs }) => isShown(inputs) || isShown(outputs));
  const recorded = [...records.values()].filter((record) => record.includes(hush));
  return [
    ...[...twice, ...changed, ...taken],
    ...shown.map(({ urn }) => `the state shows a secret: ${urn}`),
    ...recorded.map((record) => `a record shows a secret: ${record}`),
  ];
}

/**
 * Writes that a run sent twice. The service recreates a share for each write that it accepts. No read can show a write whose answer
 * was lost if the service keeps the only written field in another spelling, or puts back the location that a PUT clears.
 */
export const writtenTwice = (
  { requests }: Ran,
  { respelled, isPlacing }: Pick<Choices, "respelled" | "isPlacing"> = {},
): string[] => {
  const isShown = ({ method, body = "{}" }: Sent) =>
    Object.keys(JSON.parse(body) as object).some((name) => name !== respelled) && !(isPlacing && method === "PUT");
  const writes = requests
    .filter(({ method, status = 0 }) => (method === "PATCH" || method === "PUT") && status < 300 && status >= 200)
    .filter(isShown)
    .map(({ method, path, body = "" }) => `${method} ${path} ${body}`);
  return writes.filter((write, at) => writes.indexOf(write) !== at).map((write) => `written twice: ${write}`);
};

/**
 * Resources that are gone or forgotten after a run, although its edit does not renew them. Also checked after a run that failed.
 * A resource that the program adopts is not forgotten: the next run adopts it.
 */
export function lostBy(
  ids: ReadonlyMap<string, string>,
  { renews = [], program }: Pick<Edit, "renews" | "program">,
  { items, state }: Snapshot,
): string[] {
  const kept = [...flatState([...state]).map(({ id }) => id), ...parts(program).map(({ args }) => args["adopt"])];
  return [...ids].flatMap(([slot, id]) => {
    if (renews.includes(slot)) return [];
    const item = items.find((each) => each.id === id);
    const gone = item && isLiving(item) ? [] : [`declared but gone: ${slot} (${id})`];
    return kept.includes(id) ? gone : [...gone, `declared but forgotten: ${slot} (${id})`];
  });
}

/** Where a run began: its program, its world, and the ids of orphans that earlier reverts left. */
export interface Beginning {
  program: Program;
  snapshot: Snapshot;
  orphans: ReadonlySet<string>;
}

/** The ids of shares with a location that no program declares: a revert left it. */
const misplacedIn = ({ program, snapshot: { items, state } }: Beginning): Set<string> => {
  const held = heldOf(
    parts(program).filter(({ kind, args }) => kind === "shares" && args["locationId"] === undefined),
    state,
  );
  const ids = [...held.values()];
  return new Set(
    items.flatMap(({ id, fields }) => (ids.includes(id) && fields["locationId"] !== undefined ? [id] : [])),
  );
};

/** Differences between program, state and service after a run that succeeded. */
export function unsettled(
  program: Program,
  { after, said }: Pick<Ran, "after" | "said">,
  isReverted: boolean,
  from: Beginning,
  isPlacing = false,
): string[] {
  const { items } = after;
  const state = flatState([...after.state]);
  const isNamed = (id: string) => said.some((line) => line.includes(id));
  // Pulumi's `retainOnDelete` leaves them.
  const retained = from.snapshot.state.filter(({ isRetained }) => isRetained).map(({ id }) => id);
  const own = ownIn(after).filter(({ id }) => !from.orphans.has(id) && !retained.includes(id));
  const misplaced = misplacedIn(from);
  // docs/reliability.md: a resource that an interrupted run created stays if the edit that declared it is reverted.
  const orphans = own
    .filter(({ id }) => !isReverted && !state.some((each) => each.id === id) && !isNamed(id))
    .map((item) => `orphan: ${text(item)}`);
  const wrong = parts(program).flatMap((one) => {
    const held = state.find(({ urn, delete: isDoomed }) => urn === one.urn && !isDoomed);
    return held
      ? differing(one, held, items, program, state, isPlacing || isReverted || misplaced.has(held.id))
      : [`not in the state: ${one.slot}`];
  });
  const doomed = state.filter((each) => each.delete === true || !parts(program).some(({ urn }) => urn === each.urn));
  return [...orphans, ...wrong, ...doomed.map(({ urn, id }) => `the state still holds ${urn} (${id})`)];
}

function differing(
  one: Registration,
  held: Kept,
  items: readonly Item[],
  program: Program,
  state: readonly Kept[],
  mayHavePlace: boolean,
): string[] {
  const item = items.find(({ id }) => id === held.id);
  if (one.ignores?.includes("*")) return [];
  const { envId, ...others } = without(one.args, "adopt", "retain", ...(one.ignores ?? []));
  const args = envId === undefined ? others : { ...others, envZId: envId };
  if (item?.status !== "DEPLOYED" || held.outputs["status"] !== "DEPLOYED")
    return [`${one.slot} is ${String(held.outputs["status"])} in the state and ${String(item?.status)} at the service`];
  const tunnel = program.find(({ slot }) => slot === one.on);
  const declared: Record<string, unknown> = {
    ...args,
    ...(tunnel &&
      !one.ignores?.includes("ipsecTunnelId") && { ipsecTunnelId: state.find(({ urn }) => urn === tunnel.urn)?.id }),
  };
  const wrong = Object.entries(declared).filter(
    ([name, value]) => item.fields[name] !== (value instanceof Secret ? value.value : value),
  );
  // If a lost write set a location and the program is reverted, the location stays: the provider does not know of it.
  const isManaged = one.kind === "shares" && args["locationId"] === undefined && !mayHavePlace;
  const isLeft = isManaged && item.fields["locationId"] !== undefined;
  return [
    ...wrong.map(([name]) => `${one.slot}: ${name} is ${text(item.fields[name])}`),
    ...(isLeft ? [`${one.slot}: locationId was not cleared`] : []),
  ];
}

/** True if a share asks for another location than its tunnel's. A service that places shares lets it fail. */
export const isMisplaced = (program: Program): boolean =>
  parts(program).some(({ on, args: { locationId } }) => {
    const tunnel = program.find(({ slot }) => slot === on);
    return tunnel !== undefined && locationId !== undefined && locationId !== tunnel.args["locationId"];
  });

/** The tunnels and shares of the program. A share of a set has the set's environment if it has none of its own. */
export const parts = (program: Program): Registration[] => {
  const all = program.map(transformedOf);
  return flat(all).map((one) => {
    const whole = all.find(({ kind, urn }) => kind === "sets" && one.urn === partUrn(urn, one.slot));
    return whole ? { ...one, args: { envZId: whole.args["envZId"], ...one.args } } : one;
  });
};

/** The resource with what a transform sets. */
const transformedOf = ({ transformed = {}, ...one }: Registration): Registration => {
  const args = "envZId" in transformed ? without(one.args, "envId") : one.args;
  return { ...one, args: { ...args, ...transformed } };
};

/** The ids in the state by slot. */
export const heldOf = (program: Program, state: readonly Kept[]): Map<string, string> =>
  new Map(
    parts(program).flatMap(({ slot, urn }) => {
      const held = flatState([...state]).find((each) => each.urn === urn && !each.delete);
      return held ? [[slot, held.id] as const] : [];
    }),
  );

/**
 * True if a share that is in no state is in the way: it uses a tunnel that is deleted, or an interrupted run created it before the program
 * was reverted. The error names that share, and the user deletes or adopts it (docs/reliability.md).
 */
export const isOfOrphan = ({ error, after }: Ran): boolean =>
  error !== undefined &&
  /\[(tunnel-in-use|identical-exists)\]/.test(error) &&
  after.items.some(
    ({ id, kind }) =>
      kind === "share" && error.includes(id) && !flatState([...after.state]).some((each) => each.id === id),
  );

// tests/README.md lists the bounds.

/** Model time that an operation may take after its deadline. */
const graceMs = 2 * lagMs;
/** Requests of an operation besides its polls and tries, and how often one write may be sent without a pause that grows. */
const most = { requests: 24, writes: 10 };
/** Requests of one poll, or of one further try of a write: the write, a read, a list, and reads of the old and the new tunnel. */
const requestsPerTry = 5;

/** How many polls or tries fit into this time with the pauses of the code, if chance makes each as short as it can be. */
function triesIn(ms: number): number {
  let tries = 1;
  for (let atMs = backoff(0, 0); atMs <= ms; atMs += backoff(atMs, 0)) tries += 1;
  return tries;
}

const kindsIn = (fault: Fault | undefined): FaultKind[] => (fault ? [fault.kind, ...kindsIn(fault.also)] : []);
const isWrite = ({ method }: Sent) => method !== "GET";
const isDone = (status: number | undefined) => status !== undefined && status >= 200 && status < 300;
const idIn = ({ path }: Pick<Sent, "path">) => path.split("/")[2];

/** What a run must not do, whatever it meets: unbounded work, blind writes, and untrue words. */
export function dishonest(
  before: Snapshot,
  ran: Ran,
  { program, fault, isHasty = false }: Pick<Command, "program" | "fault" | "isHasty">,
): string[] {
  const kinds = kindsIn(fault);
  return [
    ...overdone(ran),
    ...misled(ran, fault !== undefined),
    ...untrue(before, ran, kinds, { program, fault }),
    ...(isHasty || kinds.some((kind) => kind.includes("killed") || kind === "Ctrl-C") ? [] : believed(program, ran)),
  ];
}

/** What no run must do, on the model of the engine or on Pulumi. */
export const overdone = (ran: Ran): string[] => [...unbounded(ran), ...blindWrites(ran), ...stubborn(ran)];

/** Operations that do not end in time, and runs that send too much. */
function unbounded({ operations, requests, after }: Ran): string[] {
  if (requests.length > mostRequests) return [`unbounded: more than ${mostRequests} requests`];
  const endMs = requests.at(-1)?.atMs ?? 0;
  const late = operations.flatMap(({ does, urn, limit, beganMs, endedMs = beganMs }) => {
    const overMs = endedMs - beganMs - limit * 1000;
    return overMs > graceMs ? [`unbounded: ${does} ${urn} ends ${Math.round(overMs / 1000)} s after its deadline`] : [];
  });
  const sent = new Map<string, number[]>();
  for (const each of requests.filter(isWrite)) sent.set(about(each), [...(sent.get(about(each)) ?? []), each.atMs]);
  // Pulumi does not tell when an operation begins, so each written resource counts as one. A read polls only if it contradicts an
  // unfinished write.
  const polled = [
    ...operations.map(({ beganMs, endedMs = endMs }) => Math.max(0, endedMs - beganMs)),
    ...(operations.length > 0 ? [] : [...sent].map(() => endMs)),
    ...after.state.map(() => (operations.length > 0 ? lagMs + lastPollMs : endMs)),
  ];
  const allowed = polled.reduce((sum, ms) => sum + most.requests + requestsPerTry * triesIn(ms), 2 * most.requests);
  const repeated = [...sent].flatMap(([write, times]) => {
    const spanMs = (times.at(-1) ?? 0) - (times[0] ?? 0);
    return times.length > most.writes + triesIn(spanMs)
      ? [`unbounded: ${times.length} times in ${Math.round(spanMs / 1000)} s: ${write}`]
      : [];
  });
  const isTooMuch = requests.length > allowed;
  return [...late, ...repeated, ...(isTooMuch ? [`unbounded: ${requests.length} requests, of ${allowed}`] : [])];
}

/** The kind of a write, and its resource. */
const about = ({ method, path, body = "{}" }: Sent): string =>
  `${method} ${path} ${method === "POST" ? (JSON.parse(body) as { name?: string }).name : ""}`;

/** A PUT or PATCH that was sent although its effect of the last one is not known, and nothing was read since. */
function blindWrites({ requests }: Ran): string[] {
  const open = new Set<string>();
  return requests.flatMap((each) => {
    const { method, path, seen } = each;
    const id = idIn(each);
    const isRead = method === "GET" && isDone(seen);
    if (isRead && id === undefined) open.clear();
    if (isRead && id !== undefined) open.delete(id);
    if ((method !== "PUT" && method !== "PATCH") || id === undefined) return [];
    const wrong = open.has(id) ? [`blind write: ${method} ${path} without a read since the last one`] : [];
    if (seen === undefined || seen >= 500 || isDone(seen)) open.add(id);
    return wrong;
  });
}

/** A write that is sent again although the service has refused it for good. */
function stubborn({ requests }: Ran): string[] {
  // A tunnel whose last share has just gone is refused in the same form.
  const refused = requests.filter((each) => isWrite(each) && each.method !== "DELETE" && each.isForGood);
  const key = ({ method, path, body }: Sent) => `${method} ${path} ${body}`;
  const keys = refused.map(key);
  return keys
    .filter((each, at) => keys.indexOf(each) !== at)
    .map((each) => `sent again after a refusal for good: ${each}`);
}

/** A filter of the user's that the service refuses is the user's error, and says nothing about the provider's own filters. */
function misled({ asked, requests }: Ran, isFaulted: boolean): string[] {
  return asked.flatMap(({ error, sent }) => {
    const isFiltered = ({ query }: Sent) => /(^|&)(?!page=|size=|sort=)\w/.test(query);
    const lists = requests.filter(({ method, path }) => method === "GET" && path === "/ipsec-shares");
    const isTold = !lists.some((each) => each.isForGood && requests.indexOf(each) < sent);
    const after = lists.filter((each) => requests.indexOf(each) >= sent);
    return [
      ...(isTold || error?.includes(isFaulted ? "" : "Value for ") === true
        ? []
        : [`a refused filter is answered: ${error ?? "no error"}`]),
      ...(after.some((each) => !isFiltered(each)) ? ["the provider's own filters are given up after the user's"] : []),
    ];
  });
}

function untrue(
  before: Snapshot,
  ran: Ran,
  kinds: readonly FaultKind[],
  { program, fault }: Pick<Command, "program" | "fault">,
): string[] {
  const { operations, requests, error = "", said } = ran;
  const held = flatState([...before.state]).map(({ id }) => id);
  const failed = operations.filter((each): each is Operation & { error: string } => each.error !== undefined);
  const errors = [error, ...failed.map((each) => each.error)];
  // Of two faults, the other one can be what ends the run.
  const isOne = fault !== undefined && fault.also === undefined && requests[fault.at]?.method !== "GET";
  const words = kinds.flatMap((kind) => refusalWords[kind] ?? []);
  const refusedId = requests[fault?.at ?? -1]?.path.split("/")[2];
  // A refusal that ends by itself is waited out, and another resource can fail.
  const isOfRefused = refusedId === undefined || failed.some(({ id }) => id === refusedId);
  const untold =
    isOne && isOfRefused && words[0] && error !== "" && !errors.some((each) => each.includes(words[0] ?? ""))
      ? [`the refusal's words are not told: ${error}`]
      : [];
  const done = (sent = 0) => requests.slice(0, sent).some((each) => isWrite(each) && isDone(each.status));
  const changed = failed
    .filter((each) => each.error.includes("Nothing was changed") && done(each.sent))
    .map((each) => `untrue, because a write came before: ${each.error}`);
  const blamed = failed
    .filter((each) => kinds.includes("refused over another matter") && each.does === "create")
    // After a kill, the state lacks the ids that the error names.
    .filter(() => !kinds.some((kind) => kind.includes("killed")))
    .filter(({ urn, id, error: text }) => {
      // A set tells what became of each of its shares.
      const ofSet = flatState([...ran.after.state]).filter((each) => each.urn.startsWith(`${urn}#`));
      const meant = [id, ...ofSet.map((each) => each.id), ...meantBy(program, urn, before)];
      return (text.match(/\b(?:tnl|shr)-\w[\w-]*/g) ?? []).some((named) => !meant.includes(named));
    })
    .map((each) => `blames another: ${each.error}`);
  const address = kinds.every(
    (kind) => kind.startsWith("not visible") || kind.startsWith("refused") || kind.startsWith("place"),
  )
    ? errors
        .filter((each) => each.includes("frontdoor:baseUrl") && !each.includes("[seen-elsewhere]"))
        .map((each) => `blames the address: ${each}`)
    : [];
  // In a `pulumi up` of its own, the program removes it.
  const removed = [...errors, ...said]
    .filter((each) =>
      held.some((id) => new RegExp(`\\b(?:[Rr]emove|[Dd]elete) ${id}\\b(?! in a separate \`pulumi up\`)`).test(each)),
    )
    .map((each) => `tells to remove what is the stack's own: ${each}`);
  // With `--replace` the provider does not see the state, and says on which condition.
  const isItself = ({ urn, error: text }: { urn: string; error: string }) =>
    before.state.some(
      ({ urn: own, id, delete: isDoomed }) =>
        own === urn &&
        !isDoomed &&
        text.includes(`adopt: "${id}"`) &&
        !/[Ii]f (the state lacks|no state has|no other stack manages it)/.test(text),
    );
  const itself = failed.filter(isItself).map((each) => `tells to adopt what it is already: ${each.error}`);
  return [...untold, ...changed, ...blamed, ...address, ...removed, ...itself];
}

/** What the arguments of a resource name: the resource that it adopts, and what is at the location that it asks for. */
function meantBy(program: Program, urn: string, { items }: Snapshot): unknown[] {
  const { adopt, locationId } = parts(program).find((one) => one.urn === urn)?.args ?? {};
  const there = items.filter(({ kind, fields }) => kind === "tunnel" && fields["locationId"] === (locationId ?? ""));
  return [adopt, ...there.map(({ id }) => id)];
}

/** What the state shows as declared, DEPLOYED and whole, although the service shows something else once nothing is under way. */
function believed(program: Program, { after: { state, items } }: Ran): string[] {
  const declared = parts(program);
  const kept = flatState([...state]);
  return kept.flatMap(({ id, outputs, isPartial, delete: isDoomed, urn }) => {
    // Until an edit that gives a resource another name has ended, two entries have its id.
    const isTwice = kept.some((each) => each.id === id && each.urn !== urn);
    if (isPartial || isDoomed || isTwice || outputs["status"] !== "DEPLOYED") return [];
    const item = items.find((each) => each.id === id);
    // A delete that failed leaves its resource in the state.
    if (!item || item.status === "DELETED") return [];
    if (item.status !== "DEPLOYED") return [`the state believes ${urn} (${id}), which is ${item.status}`];
    const args = declared.find((one) => one.urn === urn)?.args ?? {};
    return ["target", "ingressPort", "peerCidr"]
      .filter((name) => outputs[name] === args[name] && outputs[name] !== (item.fields[name] ?? outputs[name]))
      .map((name) => `the state believes ${name} of ${urn} is ${String(args[name])}, and it is ${item.fields[name]}`);
  });
}

/** The faults that a run must get over without the user: it has done nothing wrong, and each of them ends by itself. */
const harmless: readonly FaultKind[] = [
  "503 after, pause of 20 s",
  "429, pause of 40 s",
  "not visible yet",
  "place not free yet",
];

/** Seconds of the deadline of a diff, which sends reads. */
const shortestLimit = 60;

export function mustSucceed(fault: Fault): boolean {
  const kinds = kindsIn(fault);
  const pauses = kinds.reduce((sum, kind) => sum + Number(/pause of (\d+) s/.exec(kind)?.[1] ?? 0), 0);
  return pauses < shortestLimit && kinds.every((kind) => harmless.includes(kind));
}

/** Texts that no state, message or line may show: secrets of the program and of a colleague, the token, and the start of each pre-shared key. */
export const canaries = [hush, token, "psk-"];

/** Secrets and crashes in the messages of a run. */
export const told = ({ error = "", said, lines }: Pick<Ran, "error" | "said" | "lines">): string[] => [
  ...[error, ...said, ...lines.map(({ text: line }) => line)]
    .filter((line) => canaries.some((canary) => line.includes(canary)))
    .map((line) => `a secret is told: ${line}`),
  ...(/call stack|is not (a function|iterable|defined)|Cannot read/.test(error) ? [`a crash: ${error}`] : []),
];

/** True if the properties show a canary. The answer is remembered, because properties never change. */
export function isShown(properties: object): boolean {
  const isKnown = shownIn.get(properties);
  if (isKnown !== undefined) return isKnown;
  const kept = JSON.stringify(properties, hidden);
  const isIn = canaries.some((canary) => kept.includes(canary));
  shownIn.set(properties, isIn);
  return isIn;
}
const shownIn = new WeakMap<object, boolean>();

const hidden = (_key: string, value: unknown) => (value instanceof Secret ? "[secret]" : value);

/** What is wrong after these edits, faults and commands. */
export interface Violation {
  path: readonly string[];
  problems: readonly string[];
}

/** Violations that are not mended. The walk leaves them out, but for `npm run prove -- --known`. */
interface Known {
  /** The row of the list of findings. */
  row?: number;
  where: RegExp;
  problem: RegExp;
}

const known: readonly Known[] = [
  // A refresh from a replica that lags writes the old value into the state, and the next run sends the PATCH once more.
  { row: 1, where: / lag /, problem: /^not quiet: (update |PATCH )/ },
  // The preview refuses it (`adopt-leaving`). A run without a preview deletes the share before it meets what adopts it.
  {
    row: 12,
    where: /adopts (s2|k1), which leaves, replace t1 delete-first/,
    problem: /adopted id is deleted|line is untrue/,
  },
  { row: 12, where: /adopts k1, which leaves.* > preview/, problem: /line is untrue/ },
  // docs/reliability.md: a user waits before the next run, because a DELETE of the killed run can take effect late. Pulumi does not replace
  // the set once more: the dynamic provider tells it that the set changes, but not in which property.
  {
    where: /change k1, replaceOnChanges > provider killed, takes effect late .*DELETE/,
    problem: /^k2 is DEPLOYED in the state and DELETED at the service$/,
  },
];

/** Collects violations, and says each kind of them once. */
export class Violations {
  readonly all: Violation[] = [];
  /** The kinds that were said. */
  private readonly kinds = new Set<string>();

  constructor(
    private readonly say: (line: string) => void,
    /** Also the known ones. */
    private readonly hasKnown = false,
  ) {}

  add(path: readonly string[], found: readonly string[]): void {
    const isKnown = (problem: string) =>
      known.some((each) => each.where.test(path.join(" > ")) && each.problem.test(problem));
    const problems = [...new Set(found.filter((problem) => this.hasKnown || !isKnown(problem)))];
    if (problems.length === 0) return;
    this.all.push({ path, problems });
    const kind = [...path.slice(1), problems[0]?.split(":")[0]].join(" ").replace(/ at \d+( \(\w+ [^)]*\))?/g, "");
    if (this.kinds.size >= 40 || this.kinds.has(kind)) return;
    this.kinds.add(kind);
    this.say(`VIOLATION ${path.join(" > ")}\n    ${problems.join("\n    ")}`);
  }
}
