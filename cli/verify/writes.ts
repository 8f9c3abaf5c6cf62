import { randomBytes } from "node:crypto";
import { limit } from "../../provider/errors";
import { type Asked, entriesOf, objectIn, textIn } from "../asking";
import type { RowId } from "./manifest";
import {
  aboutNotReady,
  aboutShareMetrics,
  emptyForm,
  type Entry,
  isAccepted,
  type Kind,
  listAll,
  pathOf,
  readAll,
  type Place,
} from "./reads";

/** A resource that `verify` has created. */
export interface Made {
  kind: Kind;
  id: string;
  name: string;
  /** True once a read or a list has shown it: until then a missing entry can be lag. */
  isSeen?: boolean;
}

/** Where every share of `verify` leads: an address of a documentation range. */
const target = "192.0.2.1:9";
/** An environment that nobody has. */
export const noEnvironment = "verify-none";
const changedTarget = "192.0.2.2:9";
const peerCidr = "198.51.100.0/24";
/** The run, a word, and the minute of the create in UTC: a word decides the order of two names of a run. */
const ours = /^verify-[0-9a-f]{8}-[a-z]+-(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/;
/** A resource that is younger can be one of a run that still works. */
const leftAfterMs = 60 * 60_000;

/** True if a resource of `verify` is so old that no run can still use it. */
export const isLeft = ({ name }: Pick<Made, "name">, wallMs: number): boolean => {
  const [, year, month, day, hour, minute] = (ours.exec(name) ?? []).map(Number);
  return Date.UTC(year ?? NaN, (month ?? NaN) - 1, day, hour, minute) < wallMs - leftAfterMs;
};

/** True if an entry of a list was made by a run of `verify`, and is not deleted. */
export const isOurs = (kind: Kind, entry: Entry): boolean =>
  ours.test(String(entry["name"])) &&
  entry["status"] !== "DELETED" &&
  (kind === "shares"
    ? [target, changedTarget].includes(String(entry["target"]))
    : /^198\.51\.100\.\d+\/24$/.test(String(entry["peerCidr"])));

const limitMs = { shares: 15 * 60_000, tunnels: 60 * 60_000 };
const lagLimitMs = 30_000;
/** The time between two lines about a wait. */
const sayEveryMs = 10_000;

/** Creates, changes and deletes resources of its own, and remembers each one until it is gone. */
export class Writes {
  readonly made: Made[] = [];
  readonly prefix = `verify-${randomBytes(4).toString("hex")}-`;
  private readonly ports: number[];
  private lagMs = { read: 0, list: 0 };
  /** True once a POST was sent: something may exist, even if no answer said so. */
  hasPosted = false;
  /** Until then a list can still begin to show the result of a POST that got no answer. */
  private unknownUntilMs = -Infinity;

  constructor(
    private readonly place: Place,
    private readonly envZId: string,
    shares: Entry[],
    /** Shows what is going on: a run can take minutes. */
    private readonly say: (line: string) => void,
  ) {
    const taken = new Set(shares.map(({ ingressPort }) => Number(ingressPort)));
    const start = 50_000 + Math.floor(10_000 * this.clock.random());
    this.ports = Array.from({ length: 5_000 }, (_, index) => start + index).filter((port) => !taken.has(port));
  }

  /** Checks a tunnel of its own from its create on, then shares on it, then its delete. @throws FrontdoorError. */
  async onLocation(locationId: string): Promise<void> {
    this.say(`Creating a tunnel at ${locationId}…`);
    const tunnel = await this.createTunnel(locationId);
    if (!tunnel) return;
    const { id } = tunnel;
    const early = objectIn((await this.ask("GET", "tunnels", id)).body);
    if (early["status"] === "NEW") {
      const address = textIn(early["nlbPrivateIp"]);
      this.found("nlb-address", address === undefined ? "later" : "at once");
      this.found("empty-field", emptyForm(early["nlbDnsName"]));
      await aboutNotReady(this.place, id);
      const share = await this.createShare(id, "early");
      this.found("share-on-NEW-tunnel", share.made ? "accepted" : "refused");
    }
    const second = await this.post("tunnels", "second", { locationId, peerPublicIp: "203.0.113.2", peerCidr });
    this.found("one-tunnel", second.made ? "accepted" : "refused");
    if (!second.made) this.found("conflict-status", String(second.answer.status));
    const status = await this.settled(tunnel);
    this.found("tunnel-time", status === "NEW" ? "too late" : "in time");
    if (status !== "DEPLOYED") return;
    await this.onTunnel(id);
    // An empty front door has now something to read.
    if (this.place.findings["connection-state"] === undefined) await readAll(this.place);
    const last = await this.createShare(id, "last");
    if (!last.made) return;
    const refused = await this.ask("DELETE", "tunnels", id);
    this.found("delete-with-shares", isAccepted(refused) ? "accepted" : String(refused.status));
  }

  /** Checks shares of its own on a tunnel. @throws FrontdoorError. */
  async onTunnel(ipsecTunnelId: string): Promise<void> {
    this.say(`Creating shares on tunnel ${ipsecTunnelId}…`);
    const first = await this.createShare(ipsecTunnelId, "nut");
    if (!first.made) throw new NotAccepted(first.answer);
    const a = first.made;
    const { answer } = first;
    this.found("create-status", String(answer.status));
    const answered = textIn(objectIn(answer.body)["id"]);
    this.found("create-body", answered === undefined ? "none" : answered === a.id ? "resource" : "another resource");
    this.found("create-location", answer.headers["location"] === undefined ? "none" : "names");
    await this.aboutUpdateInNew(a);
    const second = await this.createShare(ipsecTunnelId, "bolt", {}, "at once");
    this.found("changes-together", second.made ? "together" : "one at a time");
    const status = await this.settled(a);
    this.found("share-time", status === "NEW" ? "too late" : "in time");
    const b = second.made ?? (await this.createShare(ipsecTunnelId, "bolt")).made;
    await this.createShare(ipsecTunnelId, "washer");
    await this.aboutOrder();
    await this.aboutLocation(a, ipsecTunnelId);
    this.say("Sending creates that Frontdoor can refuse…");
    await this.aboutRefusals(a, ipsecTunnelId);
    await this.settled(a);
    await aboutShareMetrics(this.place, a.id);
    this.say(`Changing share ${a.name}…`);
    await this.aboutUpdates(a, ipsecTunnelId);
    this.say(`Deleting share ${a.name}…`);
    await this.aboutDelete(ipsecTunnelId, a, b);
  }

  /** Deletes whatever is left, and returns what could not be deleted. It ends at a deadline, and after five failures in a row. */
  async cleanUp(place: Place): Promise<Made[]> {
    const { clock } = place.asking;
    const end = clock.now() + (this.made.some(({ kind }) => kind === "tunnels") ? limitMs.tunnels : limitMs.shares);
    const lagEnd = clock.now() + lagLimitMs;
    for (let failures = 0, isListed = false; clock.now() < end && failures < 5;) {
      try {
        if (!isListed || clock.now() < this.unknownUntilMs) {
          for (const kind of ["shares", "tunnels"] as const) await this.addFromList(place, kind);
          isListed = true;
        }
        const shares = this.made.filter(({ kind }) => kind === "shares");
        for (const each of shares.length > 0 ? shares : [...this.made])
          await this.removeOne(place, each, clock.now() < lagEnd);
        failures = 0;
      } catch {
        failures += 1;
      }
      if (isListed && this.made.length === 0 && clock.now() >= this.unknownUntilMs) return [];
      await clock.sleep(failures > 0 ? 1000 * failures : 1000);
    }
    return this.made;
  }

  /** Deletes resources of an earlier run. */
  adopt(left: Made[]): void {
    this.made.push(...left);
  }

  private async addFromList(place: Place, kind: Kind): Promise<void> {
    for (const entry of await listAll(place, kind)) {
      const [id, name] = [String(entry["id"]), String(entry["name"])];
      if (name.startsWith(this.prefix) && isOurs(kind, entry) && !this.made.some((each) => each.id === id))
        this.made.push({ kind, id, name });
    }
  }

  /** Deletes one resource, or sees that it is gone. @throws FrontdoorError, and Error if the service has trouble. */
  private async removeOne(place: Place, made: Made, canLag: boolean): Promise<void> {
    const path = pathOf(place, made.kind, made.id);
    const shown = await place.asking.ask("GET", path);
    if (shown.status >= 500 || shown.status === 429 || shown.status === 401) throw new Error(shown.words);
    const entry = isAccepted(shown)
      ? objectIn(shown.body)
      : (await listAll(place, made.kind)).find(({ id, status }) => id === made.id && status !== "DELETED");
    if (!entry && canLag && !made.isSeen) return;
    const isRenamed = entry && entry["name"] !== made.name;
    if (isRenamed) {
      this.say(`${made.id} is not named ${made.name}. verify leaves it alone.`);
      // The answer to its POST named another resource, so its own one can still appear.
      if (!made.isSeen) this.unknownUntilMs = place.asking.clock.now() + lagLimitMs;
    } else if (isAccepted(shown)) made.isSeen = true;
    if (!entry || entry["status"] === "DELETED" || isRenamed) {
      this.made.splice(this.made.indexOf(made), 1);
      return;
    }
    if (entry["status"] === "DELETING") return;
    const answer = await place.asking.ask("DELETE", path);
    if (answer.status >= 500 || answer.status === 401) throw new Error(answer.words);
  }

  private get clock() {
    return this.place.asking.clock;
  }

  private found(row: RowId, finding: string): void {
    this.place.findings[row] ??= finding;
  }

  private ask(
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    kind: Kind,
    id?: string,
    body?: object,
  ): Promise<Asked> {
    return this.place.asking.ask(method, pathOf(this.place, kind, id), body ? { body } : {});
  }

  /** Returns the first form of a tunnel that the service accepts: each one shows a rule. */
  private async createTunnel(locationId: string): Promise<Made | undefined> {
    const usual = { locationId, peerPublicIp: "203.0.113.1", peerCidr };
    const isPrivate = await this.post("tunnels", "private", { ...usual, peerPublicIp: "10.0.0.1" });
    this.found("private-peer", isPrivate.made ? "accepted" : "refused");
    if (isPrivate.made) return isPrivate.made;
    const hasBits = await this.post("tunnels", "bits", { ...usual, peerCidr: "198.51.100.7/24" });
    this.found("host-bits", hasBits.made ? "accepted" : "refused");
    if (hasBits.made) return hasBits.made;
    const tunnel = await this.post("tunnels", "tunnel", usual);
    if (!tunnel.made) throw new NotAccepted(tunnel.answer);
    return tunnel.made;
  }

  private async createShare(ipsecTunnelId: string, word: string, more: object = {}, when?: "at once") {
    if (when !== "at once") await this.quiet();
    const body = { ipsecTunnelId, envZId: this.envZId, target, ingressPort: this.ports.shift(), ...more };
    return this.post("shares", word, body);
  }

  /** Sends a POST and finds what it made by its name. @throws Stuck if the service accepted it and shows nothing. */
  private async post(kind: Kind, word: string, body: object): Promise<{ answer: Asked; made?: Made }> {
    const minute = new Date(this.clock.wall()).toISOString().replaceAll(/\D/g, "").slice(0, 12);
    const name = textIn((body as { name?: unknown }).name) ?? `${this.prefix}${word}-${minute}`;
    this.hasPosted = true;
    this.unknownUntilMs = this.clock.now() + lagLimitMs;
    const answer = await this.ask("POST", kind, undefined, { ...body, name });
    if (answer.status >= 500) throw new NotAccepted(answer);
    if (!isAccepted(answer)) this.unknownUntilMs = -Infinity;
    if (!isAccepted(answer)) return { answer };
    const beganMs = this.clock.now();
    const location = textIn(answer.headers["location"])?.split(/[?#]/, 1)[0]?.split(`/ipsec-${kind}/`)[1];
    const known = new Set(this.made.map(({ id }) => id));
    const isNew = (entry: Entry) => entry["name"] === name && entry["status"] !== "DELETED";
    let id = textIn(objectIn(answer.body)["id"]) ?? location;
    if (id !== undefined && known.has(id)) id = undefined;
    if (id !== undefined) {
      this.made.push({ kind, id, name });
      this.unknownUntilMs = -Infinity;
      const shown = await this.firstRead(kind, id, beganMs);
      // An answer can name a resource of somebody else. Only its name shows whose it is.
      if (!shown || !isNew(shown)) {
        this.made.pop();
        this.unknownUntilMs = beganMs + lagLimitMs;
        id = undefined;
      }
    }
    const isRead = id !== undefined;
    while (id === undefined) {
      const entries = await listAll(this.place, kind);
      id = textIn(entries.find((entry) => isNew(entry) && !known.has(String(entry["id"])))?.["id"]);
      if (id !== undefined) this.made.push({ kind, id, name });
      else if (this.clock.now() > beganMs + lagLimitMs) throw new Stuck("the new resource is not listed");
      else await this.clock.sleep(250);
    }
    this.unknownUntilMs = -Infinity;
    if (!isRead) await this.firstRead(kind, id, beganMs);
    if (this.place.findings["list-lag"] === undefined)
      await this.untilShown("list-lag", beganMs, async () =>
        (await listAll(this.place, kind)).find((each) => each["id"] === id),
      );
    const made = this.made.find((each) => each.id === id);
    if (made) made.isSeen = true;
    return { answer, made: { kind, id, name } };
  }

  /** Waits until a read shows a new resource, and returns what it shows. */
  private firstRead(kind: Kind, id: string, beganMs: number): Promise<Entry | undefined> {
    return this.untilShown("read-lag", beganMs, async () => {
      const answer = await this.ask("GET", kind, id);
      if (answer.status >= 500) throw new NotAccepted(answer);
      return isAccepted(answer) ? objectIn(answer.body) : undefined;
    });
  }

  private async untilShown(
    row: "read-lag" | "list-lag",
    beganMs: number,
    look: () => Promise<Entry | undefined>,
  ): Promise<Entry | undefined> {
    for (let tries = 0; ; tries++) {
      const askedMs = this.clock.now();
      const shown = await look();
      if (shown) {
        const which = row === "read-lag" ? "read" : "list";
        if (tries > 0) this.lagMs[which] = Math.max(this.lagMs[which], askedMs - beganMs);
        const seconds = Math.max(0.1, Math.round((askedMs - beganMs) / 100) / 10);
        this.found(row, tries === 0 ? "at once" : `after ${seconds} s`);
        return shown;
      }
      if (askedMs > beganMs + 2 * lagLimitMs) {
        this.found(row, `after ${(2 * lagLimitMs) / 1000} s or more`);
        return undefined;
      }
      await this.clock.sleep(250);
    }
  }

  /** Waits until a read or a list shows the last write. */
  private async lag(which: "read" | "list"): Promise<void> {
    if (this.lagMs[which] > 0) await this.clock.sleep(this.lagMs[which] + 250);
  }

  private async shown({ kind, id }: Made): Promise<Entry> {
    await this.lag("read");
    return objectIn((await this.ask("GET", kind, id)).body);
  }

  /** Waits until a resource is neither NEW nor DELETING, and returns its status; NEW after its deadline. */
  private async settled(made: Made): Promise<string> {
    const beganMs = this.clock.now();
    const end = beganMs + limitMs[made.kind];
    await this.lag("read");
    for (let pauseMs = 250, saidMs = beganMs; this.clock.now() < end; pauseMs = Math.min(1.5 * pauseMs, 5000)) {
      const status = textIn(objectIn((await this.ask("GET", made.kind, made.id)).body)["status"]);
      if (status !== "NEW" && status !== "DELETING" && status !== undefined) return status;
      if (this.clock.now() >= saidMs + sayEveryMs) {
        saidMs = this.clock.now();
        this.say(`${made.kind.slice(0, -1)} ${made.name} is ${status ?? "not shown"} (${limit(saidMs - beganMs)})`);
      }
      await this.clock.sleep(pauseMs);
    }
    return "NEW";
  }

  /** Waits for all own shares if the service changes only one at a time. */
  private async quiet(): Promise<void> {
    if (this.place.findings["changes-together"] !== "one at a time") return;
    for (const made of this.made.filter(({ kind }) => kind === "shares")) {
      const end = this.clock.now() + limitMs.shares;
      for (;;) {
        const answer = await this.ask("GET", "shares", made.id);
        const status = textIn(objectIn(answer.body)["status"]) ?? "";
        if (!isAccepted(answer) || !["NEW", "DELETING"].includes(status) || this.clock.now() > end) break;
        await this.clock.sleep(500);
      }
    }
  }

  private async aboutUpdateInNew(a: Made): Promise<void> {
    if ((await this.shown(a))["status"] !== "NEW") return;
    const early = await this.ask("PATCH", "shares", a.id, { target });
    this.found("update-in-NEW", isAccepted(early) ? "accepted" : "refused");
    if (!isAccepted(early)) this.found("conflict-status", String(early.status));
  }

  private async aboutOrder(): Promise<void> {
    const mine = (await this.listed()).map(({ name }) => String(name).split("-")[2] ?? "");
    const order = mine.filter((word) => ["nut", "bolt", "washer"].includes(word)).join();
    const orders: Record<string, string> = {
      "nut,bolt,washer": "creation",
      "washer,bolt,nut": "newest",
      "bolt,nut,washer": "name",
      "washer,nut,bolt": "name, reversed",
    };
    if (order.split(",").length === 3) this.found("list-order", orders[order] ?? "other");
  }

  /** Lists own shares in the service's order. */
  private async listed(): Promise<Entry[]> {
    await this.lag("list");
    const answer = await this.ask("GET", "shares");
    const entries = entriesOf(answer.body);
    const all =
      entries.filter(({ name }) => String(name).startsWith(this.prefix)).length >= 3
        ? entries
        : await listAll(this.place, "shares");
    return all.filter(({ name }) => String(name).startsWith(this.prefix));
  }

  private async aboutLocation(a: Made, tunnelId: string): Promise<void> {
    const [share, tunnel] = [await this.shown(a), objectIn((await this.ask("GET", "tunnels", tunnelId)).body)];
    this.found(
      "spelling",
      share["target"] === target && typeof share["ingressPort"] === "number" ? "as sent" : "in another spelling",
    );
    const place = textIn(share["locationId"]);
    const isTunnels = place !== undefined && place === tunnel["locationId"];
    this.found("share-location", place === undefined ? "none" : isTunnels ? "the tunnel's" : "other");
    const elsewhere = await this.createShare(tunnelId, "elsewhere", { locationId: "verify-nowhere" });
    const status = elsewhere.made ? await this.settled(elsewhere.made) : "refused";
    this.found("location-elsewhere", status);
    if (elsewhere.made && status === "ERROR") {
      const answer = await this.ask("PATCH", "shares", elsewhere.made.id, { target });
      this.found("update-in-ERROR", isAccepted(answer) ? "accepted" : "refused");
    }
  }

  private async aboutRefusals(a: Made, tunnelId: string): Promise<void> {
    const ingressPort = Number((await this.shown(a))["ingressPort"]);
    const same = await this.createShare(tunnelId, "port", { ingressPort });
    this.found("same-port", same.made ? "accepted" : "refused");
    if (!same.made) this.place.findings["conflict-status"] = String(same.answer.status);
    const named = await this.createShare(tunnelId, "name", { name: a.name });
    this.found("same-name", named.made ? "accepted" : "refused");
    const both = await this.createShare(tunnelId, "both", { envId: `${this.envZId}-other` });
    this.found("both-env-ids", both.made ? "accepted" : "refused");
    if (this.envZId !== noEnvironment) {
      const nowhere = await this.createShare(tunnelId, "nowhere", { envZId: noEnvironment });
      this.found("unknown-environment", nowhere.made ? "accepted" : "refused");
    }
    const stray = await this.createShare(tunnelId, "stray", { noSuchProperty: "x" });
    this.found("unknown-property", stray.made ? "ignored" : "refused");
  }

  private async write(method: "PUT" | "PATCH", { id }: Made, body: object): Promise<Asked> {
    await this.quiet();
    return this.ask(method, "shares", id, body);
  }

  private async aboutUpdates(a: Made, ipsecTunnelId: string): Promise<void> {
    const before = await this.shown(a);
    const patched = await this.write("PATCH", a, { target: changedTarget });
    if (isAccepted(patched)) {
      this.found("update-status", String(patched.status));
      this.found("update-body", textIn(objectIn(patched.body)["id"]) === undefined ? "none" : "resource");
      const after = await this.shown(a);
      this.found(
        "update-recreates",
        this.lagMs.read > 0 && after["status"] === "DEPLOYED" ? "not seen in time" : String(after["status"]),
      );
      await this.settled(a);
      const late = await this.shown(a);
      const kept = ["id", "name", "ingressPort", "envZId", "ipsecTunnelId"].every(
        (name) => late[name] === before[name],
      );
      this.found("patch-keeps", !kept ? "resets" : late["target"] === changedTarget ? "keeps" : "ignores the change");
    }
    const { name, envZId } = before;
    const ingressPort = Number(before["ingressPort"]);
    const put = await this.write("PUT", a, { name, envZId, ingressPort, ipsecTunnelId, target });
    this.found("put-status", String(put.status));
    await this.settled(a);
    const empty = await this.write("PATCH", a, {});
    const status = isAccepted(empty) ? (await this.shown(a))["status"] : undefined;
    this.found("empty-patch", status === undefined ? "refused" : status === "NEW" ? "recreates" : "ignored");
    await this.settled(a);
    const cleared = await this.write("PATCH", a, { locationId: null });
    this.found("null-location", isAccepted(cleared) ? "accepted" : "refused");
    await this.settled(a);
  }

  private async aboutDelete(tunnelId: string, a: Made, b: Made | undefined): Promise<void> {
    const fresh = await this.createShare(tunnelId, "fresh");
    if (fresh.made && (await this.shown(fresh.made))["status"] === "NEW") {
      const early = await this.ask("DELETE", "shares", fresh.made.id);
      this.found("delete-in-NEW", isAccepted(early) ? "accepted" : "refused");
    }
    await this.quiet();
    const answer = await this.ask("DELETE", "shares", a.id);
    if (!isAccepted(answer)) return;
    this.found("delete-status", String(answer.status));
    this.found("delete-body", textIn(objectIn(answer.body)["id"]) === undefined ? "none" : "resource");
    if ((await this.shown(a))["status"] === "DELETING") {
      const twice = await this.ask("DELETE", "shares", a.id);
      this.found("delete-twice", isAccepted(twice) ? "accepted" : "refused");
    }
    await this.aboutDeleted(a);
    if (b) await this.settled(b);
  }

  private async aboutDeleted({ id }: Made): Promise<void> {
    const end = this.clock.now() + limitMs.shares;
    while (this.clock.now() < end) {
      const answer = await this.ask("GET", "shares", id);
      const status = objectIn(answer.body)["status"];
      if (isAccepted(answer) && status !== "DELETED") {
        await this.clock.sleep(500);
        continue;
      }
      this.found("deleted-shown", isAccepted(answer) ? "DELETED" : String(answer.status));
      await this.lag("list");
      const isListed = (await listAll(this.place, "shares")).some((entry) => entry["id"] === id);
      this.found("deleted-listed", isListed ? "listed" : "left out");
      return;
    }
  }
}

/** The service refused what every other check needs. */
export class NotAccepted extends Error {
  readonly isTrouble: boolean;
  constructor({ status, words }: Asked) {
    super(words);
    this.isTrouble = status >= 500;
  }
}

/** The run can't go on. */
export class Stuck extends Error {}
