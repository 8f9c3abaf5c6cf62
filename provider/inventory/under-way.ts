/** The writes of this process on each tunnel's shares: those on their way, and those accepted, whose work lists may show late. */
export class UnderWay {
  private readonly sent = new Map<string, number>();
  private readonly accepted = new Map<string, Set<string>>();

  /** Sends a write that concerns these tunnels; its answer tells the id of what it is to create. */
  async during<T>(tunnelIds: string[], id: string | undefined, write: () => Promise<T>): Promise<T> {
    this.count(tunnelIds, 1);
    try {
      const answer = await write();
      const worked = id ?? (typeof answer === "string" ? answer : undefined);
      if (worked !== undefined)
        for (const tunnelId of tunnelIds)
          this.accepted.set(tunnelId, (this.accepted.get(tunnelId) ?? new Set()).add(worked));
      return answer;
    } finally {
      this.count(tunnelIds, -1);
    }
  }

  /** Whether a write on one of these tunnels is on its way, or one is accepted whose work is not yet over. */
  isAny(tunnelIds: string[], isOpen: (id: string) => boolean): boolean {
    return tunnelIds.some(
      (tunnelId) => (this.sent.get(tunnelId) ?? 0) > 0 || [...(this.accepted.get(tunnelId) ?? [])].some(isOpen),
    );
  }

  private count(tunnelIds: string[], by: number): void {
    for (const tunnelId of tunnelIds) this.sent.set(tunnelId, (this.sent.get(tunnelId) ?? 0) + by);
  }
}
