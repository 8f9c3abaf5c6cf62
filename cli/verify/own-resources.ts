import { randomBytes } from "node:crypto";
import { limit } from "../../provider/errors";
import { objectIn, type RawResponse, textIn } from "../shared/raw-client";
import { type Entry, type FrontDoor, isAccepted, type Kind, kinds } from "./front-door";

/** A resource that `verify` has created. */
export interface Created {
  kind: Kind;
  id: string;
  name: string;
  /** True once a read or a list has shown it. Until then, it can be missing because of lag. */
  isSeen?: boolean;
}

/** Where every share of `verify` leads: addresses of a documentation range. */
export const target = "192.0.2.1:9";
export const changedTarget = "192.0.2.2:9";
/** The run, a word, and the minute of the create in UTC. The word decides the order of two names of a run. */
const ownName = /^verify-[0-9a-f]{8}-[a-z]+-(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/;
/** A younger resource can belong to a run that is still under way. */
const leftAfterMs = 60 * 60_000;

/** True if a resource of `verify` is so old that no run can still use it. */
export const isLeft = ({ name }: Pick<Created, "name">, wallMs: number): boolean => {
  const [, year, month, day, hour, minute] = (ownName.exec(name) ?? []).map(Number);
  return Date.UTC(year ?? NaN, (month ?? NaN) - 1, day, hour, minute) < wallMs - leftAfterMs;
};

/** True if an entry of a list was created by a run of `verify`, and is not deleted. */
export const isOwn = (kind: Kind, entry: Entry): boolean =>
  ownName.test(String(entry["name"])) &&
  entry["status"] !== "DELETED" &&
  (kind === "shares"
    ? [target, changedTarget].includes(String(entry["target"]))
    : /^198\.51\.100\.\d+\/24$/.test(String(entry["peerCidr"])));

export const limitMs = { shares: 15 * 60_000, tunnels: 60 * 60_000 };
const lagLimitMs = 30_000;
/** The time between two lines about a wait. */
const progressMs = 10_000;

/** Creates the resources of a run, waits for them, and remembers each one until it is gone. */
export class OwnResources {
  readonly created: Created[] = [];
  readonly prefix = `verify-${randomBytes(4).toString("hex")}-`;
  private readonly lagMs = { read: 0, list: 0 };
  /** True once a POST was sent: something may exist, even if no response said so. */
  private hasPosted = false;
  /** Until then, a list can begin to show the result of a POST that got no response. */
  private unknownUntilMs = -Infinity;

  constructor(private readonly frontDoor: FrontDoor) {}

  private get clock() {
    return this.frontDoor.clock;
  }

  get mayExist(): boolean {
    return this.hasPosted || this.created.length > 0;
  }

  /** Sends a POST, and finds by its name what it created. @throws Stuck if the service accepted it and shows nothing. */
  async create(kind: Kind, word: string, body: object): Promise<{ response: RawResponse; created?: Created }> {
    const minute = new Date(this.clock.wall()).toISOString().replaceAll(/\D/g, "").slice(0, 12);
    const name = textIn((body as { name?: unknown }).name) ?? `${this.prefix}${word}-${minute}`;
    this.hasPosted = true;
    this.unknownUntilMs = this.clock.now() + lagLimitMs;
    const response = await this.frontDoor.send("POST", kind, undefined, { ...body, name });
    if (response.status >= 500) throw new NotAccepted(response);
    if (!isAccepted(response)) {
      this.unknownUntilMs = -Infinity;
      return { response };
    }
    const beganMs = this.clock.now();
    const created = (await this.named(kind, name, response, beganMs)) ?? (await this.listed(kind, name, beganMs));
    this.unknownUntilMs = -Infinity;
    await this.firstRead(kind, created.id, beganMs);
    if (this.frontDoor.findings["list-lag"] === undefined)
      await this.untilShown("list", beganMs, async () =>
        (await this.frontDoor.list(kind)).find(({ id }) => id === created.id),
      );
    created.isSeen = true;
    return { response, created };
  }

  /** Returns what the response to a POST names. It can name somebody else's resource: only a read of its name shows whose it is. */
  private async named(kind: Kind, name: string, response: RawResponse, beganMs: number): Promise<Created | undefined> {
    const location = textIn(response.headers["location"])?.split(/[?#]/, 1)[0]?.split(`/ipsec-${kind}/`)[1];
    const id = textIn(objectIn(response.body)["id"]) ?? location;
    if (id === undefined || this.created.some((each) => each.id === id)) return undefined;
    const created: Created = { kind, id, name };
    this.created.push(created);
    this.unknownUntilMs = -Infinity;
    const shown = await this.firstRead(kind, id, beganMs);
    if (shown?.["name"] === name && shown["status"] !== "DELETED") return created;
    this.created.pop();
    this.unknownUntilMs = beganMs + lagLimitMs;
    return undefined;
  }

  private async listed(kind: Kind, name: string, beganMs: number): Promise<Created> {
    const known = new Set<unknown>(this.created.map(({ id }) => id));
    for (;;) {
      const entries = await this.frontDoor.list(kind);
      const entry = entries.find(
        (each) => each["name"] === name && each["status"] !== "DELETED" && !known.has(each["id"]),
      );
      const created = entry && { kind, id: String(entry["id"]), name };
      if (created) this.created.push(created);
      if (created) return created;
      if (this.clock.now() > beganMs + lagLimitMs) throw new Stuck("the new resource is not listed");
      await this.clock.sleep(250);
    }
  }

  /** Waits until a read shows a new resource, and returns what it shows. */
  private firstRead(kind: Kind, id: string, beganMs: number): Promise<Entry | undefined> {
    return this.untilShown("read", beganMs, async () => {
      const response = await this.frontDoor.get(kind, [], id);
      if (response.status >= 500) throw new NotAccepted(response);
      return isAccepted(response) ? objectIn(response.body) : undefined;
    });
  }

  private async untilShown(
    which: "read" | "list",
    beganMs: number,
    look: () => Promise<Entry | undefined>,
  ): Promise<Entry | undefined> {
    for (let tries = 0; ; tries++) {
      const sinceMs = this.clock.now() - beganMs;
      const shown = await look();
      if (shown && tries > 0) this.lagMs[which] = Math.max(this.lagMs[which], sinceMs);
      const seconds = Math.max(0.1, Math.round(sinceMs / 100) / 10);
      const isTooLong = sinceMs > 2 * lagLimitMs;
      const lag = shown
        ? tries === 0
          ? "at once"
          : `after ${seconds} s`
        : `after ${(2 * lagLimitMs) / 1000} s or more`;
      if (shown || isTooLong) {
        this.frontDoor.note({ [`${which}-lag`]: lag });
        return shown;
      }
      await this.clock.sleep(250);
    }
  }

  /** Waits until a read or a list shows the last write. */
  async lag(which: "read" | "list"): Promise<void> {
    if (this.lagMs[which] > 0) await this.clock.sleep(this.lagMs[which] + 250);
  }

  /** True if reads lag behind, so that a short status can pass unseen. */
  get isLagging(): boolean {
    return this.lagMs.read > 0;
  }

  /** Returns what a read shows after the last write. */
  async readBack({ kind, id }: Created): Promise<Entry> {
    await this.lag("read");
    return this.frontDoor.read(kind, id);
  }

  /** Waits until a resource is neither NEW nor DELETING, and returns its status; NEW after its deadline. */
  async settled({ kind, id, name }: Created): Promise<string> {
    const beganMs = this.clock.now();
    const end = beganMs + limitMs[kind];
    await this.lag("read");
    for (let pauseMs = 250, saidMs = beganMs; this.clock.now() < end; pauseMs = Math.min(1.5 * pauseMs, 5000)) {
      const status = textIn((await this.frontDoor.read(kind, id))["status"]);
      if (status !== "NEW" && status !== "DELETING" && status !== undefined) return status;
      if (this.clock.now() >= saidMs + progressMs) {
        saidMs = this.clock.now();
        this.frontDoor.access.say(
          `${kind.slice(0, -1)} ${name} is ${status ?? "not shown"} (${limit(saidMs - beganMs)})`,
        );
      }
      await this.clock.sleep(pauseMs);
    }
    return "NEW";
  }

  /** Waits for all own shares if the service changes only one at a time. */
  async quiet(): Promise<void> {
    if (this.frontDoor.findings["changes-together"] !== "one at a time") return;
    for (const { id } of this.created.filter(({ kind }) => kind === "shares")) {
      const end = this.clock.now() + limitMs.shares;
      while (this.clock.now() < end) {
        const { status } = await this.frontDoor.read("shares", id);
        if (status !== "NEW" && status !== "DELETING") break;
        await this.clock.sleep(500);
      }
    }
  }

  /** Also deletes resources of an earlier run. */
  adopt(left: readonly Created[]): void {
    this.created.push(...left);
  }

  /** Deletes whatever is left. It ends at a deadline, and after five failures in a row. */
  async cleanUp(frontDoor: FrontDoor): Promise<void> {
    const { clock } = frontDoor;
    const deadlineMs =
      clock.now() + limitMs[this.created.some(({ kind }) => kind === "tunnels") ? "tunnels" : "shares"];
    const shownByMs = clock.now() + lagLimitMs;
    let isListed = false;
    let failures = 0;
    while (clock.now() < deadlineMs && failures < 5) {
      const canAppear = () => clock.now() < this.unknownUntilMs;
      try {
        if (!isListed || canAppear()) for (const kind of kinds) await this.addListed(frontDoor, kind);
        isListed = true;
        const shares = this.created.filter(({ kind }) => kind === "shares");
        for (const each of shares.length > 0 ? shares : [...this.created])
          await this.remove(frontDoor, each, clock.now() < shownByMs);
        failures = 0;
      } catch {
        failures += 1;
      }
      if (isListed && this.created.length === 0 && !canAppear()) return;
      await clock.sleep(1000 * Math.max(1, failures));
    }
  }

  private async addListed(frontDoor: FrontDoor, kind: Kind): Promise<void> {
    for (const entry of await frontDoor.list(kind)) {
      const [id, name] = [String(entry["id"]), String(entry["name"])];
      if (name.startsWith(this.prefix) && isOwn(kind, entry) && !this.created.some((each) => each.id === id))
        this.created.push({ kind, id, name });
    }
  }

  /** Deletes one resource, or sees that it is gone. @throws FrontdoorError, and Error if the service has trouble. */
  private async remove(frontDoor: FrontDoor, created: Created, canLag: boolean): Promise<void> {
    const { kind, id, name } = created;
    const read = await frontDoor.get(kind, [], id);
    if (read.status >= 500 || read.status === 429 || read.status === 401) throw new Error(read.words);
    const entry = isAccepted(read)
      ? objectIn(read.body)
      : (await frontDoor.list(kind)).find((each) => each["id"] === id && each["status"] !== "DELETED");
    const mayStillAppear = !entry && canLag && !created.isSeen;
    if (mayStillAppear) return;
    const isOfSomebodyElse = entry !== undefined && entry["name"] !== name;
    if (isOfSomebodyElse) {
      frontDoor.access.say(`${id} is not named ${name}. verify leaves it alone.`);
      // The response to its POST named another resource, so its own one can still appear.
      if (!created.isSeen) this.unknownUntilMs = frontDoor.clock.now() + lagLimitMs;
    } else if (isAccepted(read)) created.isSeen = true;
    if (!entry || entry["status"] === "DELETED" || isOfSomebodyElse) {
      this.created.splice(this.created.indexOf(created), 1);
      return;
    }
    if (entry["status"] === "DELETING") return;
    const response = await frontDoor.send("DELETE", kind, id);
    if (response.status >= 500 || response.status === 401) throw new Error(response.words);
  }
}

/** The service refused what every other probe needs. */
export class NotAccepted extends Error {
  readonly isTrouble: boolean;
  constructor({ status, words }: RawResponse) {
    super(words);
    this.isTrouble = status >= 500;
  }
}

/** The run can't go on. */
export class Stuck extends Error {}
