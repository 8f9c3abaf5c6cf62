import { backoff } from "../../provider/time";
import { consistencyMs } from "../../provider/waiting/acceptors";
import { lastPollMs } from "../../provider/waiting/poller";
import { flatState } from "../model/state";
import type { Program } from "./alphabet";
import { parts } from "./checks";
import { type Fault, type FaultKind, refusalWords } from "./faults";
import type { Operation } from "./operations";
import { type Command, mostRequests, type Ran, type Sent, type Snapshot } from "./run";

// tests/README.md says where each bound comes from.

/** Model time that an operation may take after its deadline. */
const graceMs = 2 * consistencyMs;
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
    ...after.state.map(() => (operations.length > 0 ? consistencyMs + lastPollMs : endMs)),
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
    ? errors.filter((each) => each.includes("frontdoor:baseUrl")).map((each) => `blames the address: ${each}`)
    : [];
  const removed = [...errors, ...said]
    .filter((each) => held.some((id) => new RegExp(`\\b(?:[Rr]emove|[Dd]elete) ${id}\\b`).test(each)))
    .map((each) => `tells to remove what is the stack's own: ${each}`);
  // With `--replace` the provider does not see the state, and says "if the state lacks".
  const isItself = ({ urn, error: text }: { urn: string; error: string }) =>
    before.state.some(
      ({ urn: own, id, delete: isDoomed }) =>
        own === urn && !isDoomed && text.includes(`adopt: "${id}"`) && !text.includes(`If the state lacks ${id}`),
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
