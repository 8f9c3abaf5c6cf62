import { Random } from "../harness/random";
import { allKindsAt, type Fault, type FaultKind, faultKinds, rarerKinds, requestOf } from "./faults";
import { type History, Play, type Runner, type Step } from "./history";
import { adapters, choices, variants } from "./jobs";
import { run, type Sent } from "./run";

export interface Drawing {
  /** Leaves out a random half of edits, options and faults. */
  isSwarm?: boolean;
  /** No faults, and no commands but `up`. */
  isCalm?: boolean;
  adapter?: History["adapter"] | undefined;
}

/** Options of a step besides its edit. */
type Option =
  | "preview"
  | "refresh"
  | "destroy"
  | "isRefreshed"
  | "isElsewhere"
  | "isFast"
  | "also"
  | "later"
  | "reverted"
  | "no fault";

const longest = 6;

/** Faults that take too long on Pulumi, or that only another clock shows. */
const onlyWalked: readonly FaultKind[] = [
  "503 after, pause of 40 s",
  "503 after, pause beyond each deadline",
  "work never ends",
  "provider killed before, clock set back",
];
const kindsAt = (method: string) => allKindsAt(method).filter((kind) => !onlyWalked.includes(kind));

export const virtual =
  ({ service, adapter }: Pick<History, "service" | "adapter">): Runner =>
  (before, command) =>
    run({ choices: choices[service], adapter: adapters[adapter] }, before, command);

/** The kind of an edit: its name without the resource. */
const kindOf = (edit: string) => edit.replace(/\b(?:[tsk]\d|single-k\d|services)\b/g, "X");

/** Draws a history and plays it in virtual time, because the possible edits depend on the runs before. */
export async function draw(seed: number, drawing: Drawing = {}): Promise<{ history: History; played: Play }> {
  const random = new Random(seed);
  const history: History = {
    programs: random.pick(["singles", "sets"]),
    service: !drawing.isCalm && random.chance(0.3) ? random.pick(variants) : random.pick(["plain", "other"]),
    adapter: drawing.adapter ?? random.pick(["dynamic", "plugin"]),
    steps: [],
  };
  const drawn = new Drawn(random, drawing, virtual(history));
  const played = new Play(virtual(history), history);
  for (let left = 2 + random.upTo(longest - 2); left > 0 && !played.isOver && played.problems.length === 0; left--) {
    const step = await drawn.step(played);
    history.steps.push(step);
    await played.step(step);
  }
  if (played.problems.length === 0) await played.end();
  return { history, played };
}

class Drawn {
  private readonly left = new Map<string, boolean>();
  private readonly kinds: readonly FaultKind[];

  constructor(
    private readonly random: Random,
    private readonly drawing: Drawing,
    private readonly runner: Runner,
  ) {
    const kinds = [...faultKinds, ...rarerKinds].filter((kind) => !this.isLeft(kind));
    this.kinds = kinds.length > 0 ? kinds : faultKinds;
  }

  /** True if this history leaves out the edit, option or fault. Drawn once for the whole history. */
  private isLeft(name: string): boolean {
    const known = this.left.get(name);
    if (known !== undefined) return known;
    const isLeft = (this.drawing.isSwarm ?? true) && this.random.chance(0.5);
    this.left.set(name, isLeft);
    return isLeft;
  }

  private has(option: Option, probability: number): boolean {
    return !this.isLeft(option) && !(this.drawing.isCalm ?? false) && this.random.chance(probability);
  }

  async step(played: Play): Promise<Step> {
    const all = played.edits();
    const some = all.filter(({ name }) => !this.isLeft(kindOf(name)));
    const edit = this.random.pick(some.length > 0 ? some : all);
    const isFirst = edit.name === "up";
    const command = isFirst
      ? undefined
      : (["preview", "refresh", "destroy"] as const).find((each) => this.has(each, 0.08));
    const step: Step = {
      edit: command === "refresh" || command === "destroy" ? command : edit.name,
      ...(command && { command }),
      ...(!command && this.has("isRefreshed", 0.2) && { isRefreshed: true as const }),
      ...(!command && this.has("isFast", 0.15) && { isFast: true as const }),
      ...(this.has("isElsewhere", 0.1) && { isElsewhere: true as const }),
    };
    if (command === "preview" || this.drawing.isCalm || this.has("no fault", 0.4)) return step;
    const fault = await this.fault(played, step);
    if (!fault) return step;
    const ends = this.has("reverted", 0.4) && !edit.isOneWay ? "reverted" : "again";
    return { ...step, fault, ...(this.has("later", 0.3) && { later: this.anyFault() }), ends };
  }

  /** A fault at one of the requests that the run sends if there is no fault, mostly at a write. */
  private async fault(played: Play, step: Step): Promise<Fault | undefined> {
    const requests = await played.foreseen(step);
    const writes = requests.filter(({ method }) => method !== "GET");
    const all = writes.length > 0 && this.random.chance(0.8) ? writes : requests;
    if (all.length === 0) return undefined;
    const hit = this.random.pick(all);
    const kinds = kindsAt(hit.method).filter((kind) => this.kinds.includes(kind));
    const kind = this.random.pick(kinds.length > 0 ? kinds : kindsAt(hit.method));
    const also = this.has("also", 0.3) ? { also: this.anyFault() } : {};
    return { of: requestOf(hit), at: countBefore(requests, hit), kind, ...also };
  }

  private anyFault(): Fault {
    const of = this.random.pick([
      "POST share",
      "PATCH share",
      "DELETE share",
      "POST tunnel",
      "DELETE tunnel",
      "GET share",
    ]);
    const kinds = kindsAt(of.split(" ")[0] ?? "").filter((kind) => this.kinds.includes(kind));
    return { of, at: this.random.upTo(1), kind: this.random.pick(kinds.length > 0 ? kinds : kindsAt("GET")) };
  }
}

const countBefore = (requests: readonly Sent[], hit: Sent) =>
  requests.slice(0, requests.indexOf(hit)).filter((each) => requestOf(each) === requestOf(hit)).length;
