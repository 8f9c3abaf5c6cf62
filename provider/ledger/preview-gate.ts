/** Holds back what a preview must not do. The engine tells neither a diff nor a read that it is part of a preview. */
export class PreviewGate {
  private waiting: (() => void)[] | undefined = [];

  /** Does the work once this run is known to be no preview, so never in a preview. */
  readonly outside = (work: () => void): void => {
    if (this.waiting) this.waiting.push(work);
    else work();
  };

  /** Called once it is certain that this run is no preview: a change begins, check gets `__isUp`, or a refresh has ended. */
  readonly open = (): void => {
    const { waiting = [] } = this;
    this.waiting = undefined;
    for (const work of waiting) work();
  };
}
