/** What runs at once: so many in all, so many on each front door, the front doors in turn. */
export class Slots<Where> {
  private running = 0;
  private readonly places: { where: Where; running: number; waiting: (() => void)[] }[] = [];
  private turn = 0;

  constructor(
    private readonly most: number,
    private readonly mostEach: number,
  ) {}

  /** Runs the work once there is room for it. */
  async take<T>(where: Where, work: () => Promise<T>): Promise<T> {
    const place = this.placeOf(where);
    await new Promise<void>((resolve) => {
      place.waiting.push(resolve);
      this.fill();
    });
    try {
      return await work();
    } finally {
      this.running -= 1;
      place.running -= 1;
      this.fill();
    }
  }

  private placeOf(where: Where) {
    const known = this.places.find((each) => each.where === where);
    if (known) return known;
    const place = { where, running: 0, waiting: [] };
    this.places.push(place);
    return place;
  }

  private fill(): void {
    for (let passed = 0; passed < this.places.length && this.running < this.most;) {
      const place = this.places[this.turn++ % this.places.length];
      const begin = place && place.running < this.mostEach ? place.waiting.shift() : undefined;
      passed = begin ? 0 : passed + 1;
      if (!place || !begin) continue;
      place.running += 1;
      this.running += 1;
      begin();
    }
  }
}
