import type { Emulator } from "../../emulator";
import type { Args, Program } from "./schedule";
import { flat } from "./sets";

/** Whose objects are: a stack's by its label, `another's`, or `nobody's` once a stack has let go of it with its user's will. */
export class Owners {
  readonly problems = new Set<string>();
  private readonly owners = new Map<string, string>();
  private readonly adoptable = new Set<string>();
  private readonly importable = new Set<string>();
  /** How many were imported. */
  imported = 0;
  /** The stack that runs: what appears at the service meanwhile is its. */
  private runner = "";

  constructor(private readonly emulator: Emulator) {}

  runs(label: string, program: Program): void {
    const { tunnels, shares } = flat(program);
    this.settle();
    this.runner = label;
    for (const { adopt, opts } of Object.values<Args>({ ...tunnels, ...shares })) {
      if (typeof adopt === "string") this.adoptable.add(adopt);
      if (opts?.import !== undefined) this.imports(opts.import);
    }
  }

  /** This id is to be imported; the run that does it makes it what the program says, too. */
  imports(id: string): void {
    this.importable.add(id);
    this.adoptable.add(id);
  }

  give(id: string, owner: string): void {
    this.owners.set(id, owner);
  }

  of(id: string): string | undefined {
    return this.owners.get(id);
  }

  /** What nobody has belongs to the stack that runs. */
  settle(): void {
    for (const { id } of [...this.emulator.tunnels(), ...this.emulator.shares()]) {
      if (!this.owners.has(id)) this.owners.set(id, this.runner);
    }
  }

  /** To be told of every request that is answered. */
  judge({ method, path }: { method: string; path: string }): void {
    this.settle();
    const [, id] = /^\/ipsec-(?:tunnels|shares)\/([^/]+)/.exec(path) ?? [];
    const owner = id === undefined ? undefined : this.owners.get(id);
    if (id === undefined || method === "GET" || owner === undefined || owner === this.runner) return;
    if (!this.adoptable.has(id))
      this.problems.add(`foreign write: ${this.runner} sent ${method} ${path}, which is ${owner}`);
  }

  /** What a state holds; it must not hold what is another's, unless its program adopts it. */
  holds(label: string, ids: string[]): void {
    this.settle();
    for (const id of ids) {
      const owner = this.owners.get(id);
      if (owner === undefined || owner === label) continue;
      if (this.importable.has(id)) this.imported += 1;
      if (!this.adoptable.has(id)) this.problems.add(`taken over: ${label} holds ${id}, which is ${owner}`);
      this.owners.set(id, label);
    }
  }
}
