/** The writes of this process on each tunnel's shares: those on their way, and those accepted, whose work lists may show late. */
export class UnderWay {
  private readonly sent = new Map<string, number>();
  private readonly accepted = new Map<string, Set<string>>();

  /** A write is sent that concerns these tunnels; told afterwards what has become of it. */
  begin(tunnelIds: string[]): { accepted: (id: string | undefined) => void; refused: () => void } {
    const count = (by: number) => {
      for (const tunnelId of tunnelIds) this.sent.set(tunnelId, (this.sent.get(tunnelId) ?? 0) + by);
    };
    count(1);
    return {
      accepted: (id) => {
        count(-1);
        if (id === undefined) return;
        for (const tunnelId of tunnelIds)
          this.accepted.set(tunnelId, (this.accepted.get(tunnelId) ?? new Set()).add(id));
      },
      refused: () => {
        count(-1);
      },
    };
  }

  /** Whether a write on one of these tunnels is on its way, or one is accepted whose work is not yet over. */
  isAny(tunnelIds: string[], isOpen: (id: string) => boolean): boolean {
    return tunnelIds.some(
      (tunnelId) => (this.sent.get(tunnelId) ?? 0) > 0 || [...(this.accepted.get(tunnelId) ?? [])].some(isOpen),
    );
  }
}
