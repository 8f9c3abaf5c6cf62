import type { RunStore } from "./run-files";

/**
 * Whose the resources of one kind on one front door are, as far as this run knows. Ids say nothing without these two
 * (spec: every operation is scoped to one front door). A resource of the program is told from others by its origin: organization and URN.
 */
export class Claims {
  private readonly held = new Set<string>();
  private readonly found = new Map<string, object | undefined>();
  private readonly declared = new Map<string, string>();
  private readonly ids = new Map<string, string>();
  private readonly known = new Set<string>();
  private readonly inState = new Map<string, string | undefined>();
  private readonly replaced = new Map<string, "new first" | "old first">();

  /** `keyOf` tells an id from those of other kinds, front doors and services. */
  constructor(
    private readonly run: RunStore,
    private readonly keyOf: (id: string) => string,
  ) {}

  /** The id belongs to the program as it is now: this run has created, adopted, taken over, updated or found it right, and never deletes it. */
  hold(id: string): void {
    if (this.held.has(id)) return;
    this.held.add(id);
    this.run.hold(this.keyOf(id));
  }

  isHeld(id: string): boolean {
    return this.held.has(id);
  }

  /** The same, or another provider process of this run holds it. */
  isHeldInRun(id: string): boolean {
    return this.isHeld(id) || this.run.isHeldByAnother(this.keyOf(id));
  }

  /** The state holds it as the program declares it, with these inputs: this run has nothing to write. Undefined once it has written. */
  noteFound(id: string, inputs: object | undefined): void {
    this.found.set(id, inputs);
  }

  /** The inputs of what the state holds as declared. */
  foundAs(id: string): object | undefined {
    return this.found.get(id);
  }

  /** Its tunnel loses it in this run: it is deleted for the sake of that, or goes to another one. */
  leave(id: string): void {
    this.run.hold(this.keyOfLeaver(id));
  }

  /** Whether another provider process of the run has said so. */
  isLeavingByAnother(id: string): boolean {
    return this.run.isHeldByAnother(this.keyOfLeaver(id));
  }

  /** Diff has answered that it is replaced, the new one first or last. */
  noteReplaced(id: string, order: "new first" | "old first"): void {
    this.replaced.set(id, order);
  }

  /** Undefined where diff has not answered so. */
  replacement(id: string): "new first" | "old first" | undefined {
    return this.replaced.get(id);
  }

  /** Whether diff has answered so of any. */
  get hasReplaced(): boolean {
    return this.replaced.size > 0;
  }

  /** Notes which resource of the program has the id, in the state or as `adopt`; gives the other one's origin where two have it. */
  declareAs(id: string, origin: string): string | undefined {
    const first = this.ids.get(id) ?? origin;
    this.ids.set(id, first);
    return first === origin ? undefined : first;
  }

  /** Whether a resource of the program has the id, in the state or as `adopt`, as far as this run has seen. */
  isDeclaredId(id: string): boolean {
    return this.ids.has(id);
  }

  /** Notes which resource of the program has this name; gives the other one's origin where two have it. */
  declare(name: string, origin: string): string | undefined {
    const first = this.declared.get(name) ?? origin;
    if (!this.declared.has(name)) this.run.hold(this.keyOfName(name));
    this.declared.set(name, first);
    return first === origin ? undefined : first;
  }

  /** Whether a resource of another provider process of this run has this name: no two processes check the same one. */
  isDeclaredByAnother(name: string): boolean {
    return this.run.isHeldByAnother(this.keyOfName(name));
  }

  /** Of the resource that has this name in the program. */
  originOf(name: string): string | undefined {
    return this.declared.get(name);
  }

  /**
   * Whether check has seen a resource of this name. Diff is asked about others, too: by a refresh, before the program has run or in a
   * destroy, of what the state holds. That is no word of the program's.
   */
  isDeclared(name: unknown): boolean {
    return typeof name === "string" && this.declared.has(name);
  }

  /** Whether the state holds this id under the resource that has this name in the program. */
  isOwnInState(name: string, id: string): boolean {
    const origin = this.originOf(name);
    return origin !== undefined && this.originInState(id) === origin;
  }

  /** Notes that the state holds this id, under the resource of this name: nothing can adopt it. Gives that one's origin. */
  noteInState(id: string, name: string): string | undefined {
    const origin = this.originOf(name);
    if (!this.inState.has(id)) this.inState.set(id, origin);
    return origin;
  }

  /** Notes that the state holds the resource, whatever its id. */
  noteKnown(origin: string): void {
    this.known.add(origin);
  }

  /** Whether the state holds what the program declares under this name. */
  isKnown(name: string): boolean {
    return this.known.has(this.originOf(name) ?? "");
  }

  /** Ids that the state holds of the resource of this name. */
  idsInState(name: string): string[] {
    const origin = this.originOf(name);
    return [...this.inState].flatMap(([id, holder]) => (holder !== undefined && holder === origin ? id : []));
  }

  isInState(id: string): boolean {
    return this.inState.has(id);
  }

  /** Of the resource that has the id in the state, as far as the program declares it. */
  originInState(id: string): string | undefined {
    return this.inState.get(id);
  }

  /** No id has a space. */
  private keyOfName(name: string): string {
    return this.keyOf(`name ${name}`);
  }

  private keyOfLeaver(id: string): string {
    return this.keyOf(`leaver ${id}`);
  }
}
