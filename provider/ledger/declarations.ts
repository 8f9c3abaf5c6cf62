/** A resource of the program. Its origin tells it from all others: the organization and the URN. */
export interface Declared {
  origin: string;
  /** The state holds the resource. */
  isInState: boolean;
  /** The program puts the share on a tunnel that does not exist yet. */
  hasUnknownTunnel: boolean;
}

/**
 * Records what the program declares of one kind on one front door, as far as check has seen it. Diff is also asked about resources that
 * check has not seen: by a refresh, before the program has run, or in a destroy.
 */
export class Declarations {
  private readonly byName = new Map<string, Declared>();
  private readonly holders = new Map<string, string>();
  private readonly idsInState = new Map<string, string>();

  /** Notes the resource that has this name; returns the origin of another one that has the name too. */
  declare(name: string, declared: Declared): string | undefined {
    const first = this.byName.get(name) ?? declared;
    if (first.origin !== declared.origin) return first.origin;
    this.byName.set(name, { ...declared, isInState: declared.isInState || first.isInState });
    return undefined;
  }

  /** Undefined if check has not seen a resource of this name. */
  named(name: unknown): Declared | undefined {
    return typeof name === "string" ? this.byName.get(name) : undefined;
  }

  /** Returns the origin of any resource, which tells the stack of this run. */
  anyOrigin(): string | undefined {
    return this.byName.values().next().value?.origin;
  }

  /** Notes that a resource has the id, in the state or as `adopt`; returns the origin of an earlier, different one. */
  claimId(id: string, origin: string): string | undefined {
    const first = this.holders.get(id) ?? origin;
    this.holders.set(id, first);
    return first === origin ? undefined : first;
  }

  /** Notes that the state holds the id, under this resource. */
  noteInState(id: string, origin: string): void {
    if (!this.idsInState.has(id)) this.idsInState.set(id, origin);
  }

  isInState(id: string): boolean {
    return this.idsInState.has(id);
  }

  /** Returns the ids that the state holds of this resource. */
  idsOf(origin: string): string[] {
    return [...this.idsInState].flatMap(([id, holder]) => (holder === origin ? [id] : []));
  }
}
