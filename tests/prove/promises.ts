import { bare, flatState, type Kept } from "../model/program";
import type { Edit, Program } from "./alphabet";
import { parts, told } from "./checks";
import type { Ran, Sent, Snapshot } from "./run";

const isWrite = ({ method }: Sent) => method !== "GET";
const isDone = ({ status = 0 }: Sent) => status >= 200 && status < 300;
const namesIn = (body = "{}") => Object.keys(JSON.parse(body) as object);
const sorted = (names: readonly string[]) => names.toSorted().join(", ");
const setOf = (urn: string) => urn.split("#")[0] ?? urn;
const textOf = ({ method, path, body }: Sent) => `${method} ${path} ${sorted(namesIn(body))}`.trim();

/** What is wrong with the preview of an edit, and with the lines of its `up`, if there is no fault. */
export function previewed(edit: Edit, before: Snapshot, preview: Ran, up: Ran): string[] {
  const wrote = preview.requests.filter(isWrite).map((each) => `a preview wrote: ${textOf(each)}`);
  const [planned = "", done = ""] = [preview, up].map(({ steps }) => sorted(steps));
  const steps = planned === done ? [] : [`a preview has other steps: ${planned}; and up: ${done}`];
  const isDone = preview.error === undefined && up.error === undefined;
  const untrue = [
    ...steps,
    ...untrueLines(edit.program, before, preview, up),
    ...untrueLines(edit.program, before, up, up),
  ];
  return [
    ...[...told(preview), ...wrote, ...notRefused(edit, preview, up)],
    ...(preview.error !== undefined && up.error === undefined
      ? [`a preview refuses what up does: ${preview.error}`]
      : []),
    ...(isDone && !edit.isRace ? untrue : []),
  ];
}

/** What is wrong if Pulumi or the provider does not refuse an edit before any write. */
const notRefused = ({ isRefused }: Edit, preview: Ran, up: Ran): string[] =>
  isRefused
    ? [
        ...[preview, up].filter(({ error }) => error === undefined).map(() => "not refused"),
        ...up.requests.filter(isWrite).map((each) => `refused, and wrote: ${textOf(each)}`),
      ]
    : [];

/** The lines beside resources that differ from what the `up` sends. A replacement of shares stands in the line of their tunnel. */
function untrueLines(program: Program, before: Snapshot, { lines }: Ran, up: Ran): string[] {
  const sent = sentBy(before, up);
  const said = new Map(lines.filter(({ text }) => isOfRequests(text)).map(({ urn, text }) => [urn, text]));
  // Pulumi does not tell a provider of `replaceOnChanges`.
  const isTold = (urn: string) => !program.some((one) => one.urn === urn && one.replacesOn);
  return [...new Set([...said.keys(), ...sent.keys()])].filter(isTold).flatMap((urn) => {
    const [line = "", requests = []] = [said.get(urn), sent.get(urn)];
    return isTrue(line, requests)
      ? []
      : [`a line is untrue: "${line}" of ${urn}; and up: ${requests.map(textOf).join(", ")}`];
  });
}

/** False for the progress of an operation. */
const isOfRequests = (line: string) => /^adopts |\b(POST|PATCH|PUT|DELETE)\b/.test(line);

/** The accepted writes of a run, by the URN of their resource or set. */
function sentBy(before: Snapshot, { requests, after }: Ran): Map<string, Sent[]> {
  const kept = flatState([...after.state, ...before.state]);
  const isMeant = ({ id, outputs }: Kept, { method, path, body = "{}" }: Sent) =>
    method === "POST"
      ? bare(outputs["name"]) === (JSON.parse(body) as { name?: string }).name
      : path.endsWith(`/${id}`);
  const sent = new Map<string, Sent[]>();
  for (const each of requests.filter((one) => isWrite(one) && isDone(one))) {
    const urn = setOf(kept.find((one) => isMeant(one, each))?.urn ?? "");
    sent.set(urn, [...(sent.get(urn) ?? []), each]);
  }
  return sent;
}

function isTrue(line: string, requests: readonly Sent[]): boolean {
  const methods = requests.map(({ method }) => method);
  const countOf = (wanted: string) => methods.filter((method) => method === wanted).length;
  const [order] = /(DELETE, then POST|POST, then DELETE)/.exec(line) ?? [];
  if (order !== undefined) return `${methods[0]}, then ${methods.at(-1)}` === order && !/P[AU]T/.test(methods.join());
  if (line.startsWith("adopts ")) return !/POST|DELETE/.test(methods.join());
  const counts = [...line.matchAll(/(\d+) × (POST|PATCH|PUT|DELETE)/g)];
  // An adopted share is changed if it differs, which no preview knows.
  const adopted = Number(/(\d+) × adopt/.exec(line)?.[1] ?? 0);
  const toldOf = (method: string) => Number(counts.find((each) => each[2] === method)?.[1] ?? 0);
  if (counts.length + adopted > 0)
    return ["POST", "PATCH", "PUT", "DELETE"].every((method) => {
      const more = countOf(method) - toldOf(method);
      return more >= 0 && more <= (method === "PATCH" ? adopted : 0);
    });
  const [, method, fields = ""] = /(PATCH|PUT) ?([^;]*)/.exec(line) ?? [];
  if (method === undefined) return countOf("PATCH") + countOf("PUT") === 0;
  const isWhole = method === "PUT" || sorted(namesIn(requests[0]?.body)) === sorted(fields.split(", "));
  return requests.length === 1 && methods[0] === method && isWhole;
}

/** The ids that the program adopts from another resource of the state, and that the run deletes. */
export const adoptedDeleted = ({ state }: Snapshot, program: Program, { requests }: Ran): string[] =>
  parts(program).flatMap(({ urn, slot, args: { adopt } }) => {
    const isOfOther = flatState([...state]).some((each) => each.id === adopt && each.urn !== urn);
    const deletes = requests.filter((each) => each.method === "DELETE" && isDone(each));
    const isDeleted = deletes.some(({ path }) => path.endsWith(`/${String(adopt)}`));
    return isOfOther && isDeleted ? [`an adopted id is deleted: ${slot} adopts ${String(adopt)}`] : [];
  });
