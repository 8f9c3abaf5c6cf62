/** A resource of the program. */
export interface Declared {
  /** The organization and the URN: no other resource has this origin. */
  origin: string;
  /** The state holds the resource. */
  isInState: boolean;
  /** The program puts the share on a tunnel that does not exist yet. */
  hasUnknownTunnel: boolean;
  /** The program gives the option `retainOnDelete`. */
  isRetained: boolean;
  /** The tunnel names no location, so the service chooses one. */
  isAnywhere: boolean;
}

/**
 * Records the resources of one kind on one front door that the program declares, as soon as check sees them. In a refresh or a destroy,
 * diff is also called for resources that check has not seen.
 */
export class Declarations {
  private readonly byName = new Map<string, Declared>();
  private readonly claims = new Map<string, string>();
  private readonly idsInState = new Map<string, string>();
  private readonly leaving = new Set<string>();

  /** Records the resource of this name. Returns the origin of another resource that already has the name. */
  declare(name: string, declared: Declared): string | undefined {
    const first = this.byName.get(name) ?? declared;
    if (first.origin !== declared.origin) return first.origin;
    this.byName.set(name, { ...declared, isInState: declared.isInState || first.isInState });
    return undefined;
  }

  /** Returns the resource of this name, or undefined if check has not seen one. */
  named(name: unknown): Declared | undefined {
    return typeof name === "string" ? this.byName.get(name) : undefined;
  }

  /** Returns another tunnel of which the service chooses the location, if this one or that one is new. */
  otherAnywhere({ origin, isInState }: Declared): Declared | undefined {
    return [...this.byName.values()].find(
      (other) => other.isAnywhere && other.origin !== origin && !(other.isInState && isInState),
    );
  }

  /** Returns the origin of one of the resources, to tell the stack: all resources of a run are in the same stack. */
  anyOrigin(): string | undefined {
    return this.byName.values().next().value?.origin;
  }

  /**
   * Records that a resource has something that only one resource can have: an id, a port or a location. Returns the origin of another
   * resource that already has it.
   */
  claim(what: string, origin: string): string | undefined {
    const first = this.claims.get(what) ?? origin;
    this.claims.set(what, first);
    return first === origin ? undefined : first;
  }

  /** Records that the state has the id, under this resource. */
  addInState(id: string, origin: string): void {
    if (!this.idsInState.has(id)) this.idsInState.set(id, origin);
  }

  /** Records that this run removes a resource of this name, which the state of a set has. */
  addLeaving(name: string): void {
    this.leaving.add(name);
  }

  isLeaving(name: string): boolean {
    return this.leaving.has(name);
  }

  isInState(id: string): boolean {
    return this.idsInState.has(id);
  }

  /** Returns the ids that the state has for this resource: more than one during a replacement. */
  idsOf(origin: string): string[] {
    return [...this.idsInState].flatMap(([id, each]) => (each === origin ? [id] : []));
  }
}
