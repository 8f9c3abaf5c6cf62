/** The behaviour that the specification leaves open. */
export interface Choices {
  /** Status of an accepted write; 204 has no body. */
  accepted: 200 | 202 | 204;
  /** Status of a write that the present state does not allow. */
  conflict: 400 | 409;
  /** True if a deleted resource is shown as DELETED. False if it is answered with 404. */
  isDeletedShown: boolean;
  /** True if lists apply filters. */
  isFiltering: boolean;
  /** Form of an optional field without a value. */
  unset: null | "absent";
  /** Largest page of a list. */
  pageSize: number;
  /** True if lists begin with the newest resource. */
  isNewestFirst: boolean;
  /** How long reads and lists show old values after a write. */
  lagMs: number;
  /** Status of the web page that a gateway sends instead of the answer to a read. */
  pageStatus: 200 | 404;
  /** This field is kept and shown in another spelling. A filter accepts both. */
  respelled?: string;
  /** Instead of such a value, the service keeps another one. */
  keeps?: Readonly<Record<string, string | number>>;
  /** Every second read of a resource, list or both comes from a replica that lags behind. */
  replica?: { readonly of: Reads; readonly lagMs: number };
  /** The token may not read what is below a tunnel. */
  isForbidden?: true;
  /** A share without a location gets that of its tunnel, and fails on a tunnel in another location. */
  isPlacing?: true;
}

/** What lasts longer than one request. A run's end ends everything but `stale`. */
export interface Lasting {
  /** Until then, reads and lists show these resources. */
  stale?: Stale | undefined;
  /** The answers to such requests until then. */
  refusals: { untilMs: number; answer: Answered; isFor: (asked: Asked) => boolean }[];
  /** List entries lack optional fields, and no read by id works, until this time. */
  bareUntilMs: number;
  /** The next work does not end in this run. */
  isEndless?: boolean;
  /** The write under way is kept with another target, port and private address. */
  isOther?: boolean;
}

/** Reads by id, lists, or both. */
export type Reads = "GETs" | "lists" | "both";

export interface Stale {
  untilMs: number;
  /** Default: both. */
  of?: Reads;
  items: readonly Item[];
}

export type Status = "NEW" | "DEPLOYED" | "ERROR" | "SUSPENDED" | "DELETING" | "DELETED";

/** A tunnel or a share at the service. */
export interface Item {
  readonly id: string;
  readonly kind: "tunnel" | "share";
  readonly fields: Readonly<Record<string, string | number | undefined>>;
  readonly status: Status;
  /** The status in which the work under way ends, and when it ends. */
  readonly ends?: { readonly atMs: number; readonly status: Status } | undefined;
}

export interface Asked {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the front door, such as `/ipsec-shares/shr-1`. */
  path: string;
  query: URLSearchParams;
  body: Record<string, string | number | undefined> | undefined;
}

export interface Answered {
  status: number;
  body?: unknown;
  /** Seconds of a `Retry-After`. */
  pause?: number;
}

/** The beginning of each secret, which no state, message or line may show. A colleague's value in place of a secret has it too. */
export const hush = "hush-";

/** What somebody changes in the console. */
export const meddlings = {
  "edits the target": { target: "console.internal:1" },
  "edits the port": { ingressPort: 4711 },
  renames: { name: "renamed-in-console" },
  deletes: {},
  recreates: {},
} as const;
export type Meddling = keyof typeof meddlings;

const workMs = 1_000;
const never = Infinity;
/** What this run has done need not show everywhere for at most 30 s. The refusal of a fault takes up to 10 s of them. */
const newMs = 15_000;
const optional = { tunnel: ["locationId", "nlbPrivateIp"], share: ["locationId"] };
const known = {
  tunnel: ["name", "locationId", "peerPublicIp", "peerCidr", "nlbPrivateIp"],
  share: ["name", "ipsecTunnelId", "envZId", "target", "ingressPort", "locationId"],
};

/** The fields that the service can keep in another way. */
const changing = ["target", "ingressPort", "nlbPrivateIp"];
const otherOf = (value: string | number) =>
  typeof value === "number"
    ? value + 10_000
    : value.replace(/^\w+(?=\.[a-z])|\d+$/, (part) => (/\d/.test(part) ? "99" : "other"));

const isLive = ({ status }: Item) => status !== "DELETED";

/** The service of the specification, as a value: a copy of `items` is a copy of the service. */
export class Service {
  /** How many ids the service has given out. */
  given: number;
  /** How many of the next provisionings end in ERROR. */
  failing = 0;
  private isBare = false;
  private reads = 0;
  readonly lasting: Lasting = { refusals: [], bareUntilMs: -Infinity };

  /** The resources after each write, with the time of the write. */
  private readonly past: { atMs: number; items: readonly Item[] }[] = [];

  constructor(
    private readonly choices: Choices,
    private readonly frontDoor: string,
    public items: readonly Item[],
    given: number,
  ) {
    this.given = given;
    this.past.push({ atMs: -Infinity, items });
  }

  /** Ends the work that is due. */
  settle(nowMs: number): void {
    this.items = settled(this.items, nowMs);
  }

  answer(asked: Asked, nowMs: number): Answered {
    this.settle(nowMs);
    this.isBare = nowMs < this.lasting.bareUntilMs;
    const refusal = this.lasting.refusals.find(({ untilMs, isFor }) => nowMs < untilMs && isFor(asked));
    if (refusal) return refusal.answer;
    if (asked.method === "GET") {
      const { stale } = this.lasting;
      const isMeant = (of: Reads = "both") => of === "both" || (placeOf(asked).id === undefined) === (of === "lists");
      if (stale && nowMs < stale.untilMs && isMeant(stale.of)) return this.read(asked, settled(stale.items, nowMs));
      const { replica, lagMs } = this.choices;
      // All pages of a list come from one of the two.
      const isFurther = Number(asked.query.get("page") ?? 0) > 0;
      const isOfReplica = replica && isMeant(replica.of) && (isFurther ? this.reads : ++this.reads) % 2 === 0;
      return this.read(asked, this.itemsAt(nowMs - (isOfReplica ? replica.lagMs : lagMs)));
    }
    const answer = this.write(asked, nowMs);
    this.past.push({ atMs: nowMs, items: this.items });
    return answer;
  }

  /** True if this run created the tunnel in the last 15 s: reads show it, and the POST of a share may not see it yet. */
  isNew(tunnelId: unknown, nowMs: number): boolean {
    const createdMs = this.past.find(({ items }) => items.some(({ id }) => id === tunnelId))?.atMs ?? nowMs;
    return nowMs - createdMs < newMs;
  }

  /** True if this run freed the name and the location or port that the body asks for in the last 15 s. */
  isFreed({ path, body = {} }: Asked, nowMs: number): boolean {
    const { kind } = placeOf({ path });
    const isSame = (item: Item) =>
      kind === "tunnel"
        ? item.fields["locationId"] === body["locationId"]
        : item.fields["ipsecTunnelId"] === body["ipsecTunnelId"] && item.fields["ingressPort"] === body["ingressPort"];
    const isGone = ({ id }: Item) => !this.items.some((each) => each.id === id && isLive(each));
    const deletedMs = (item: Item) => this.past.find(({ items }) => !items.includes(item))?.atMs ?? nowMs;
    return this.atStart.some(
      (item) => item.kind === kind && isLive(item) && isSame(item) && isGone(item) && nowMs - deletedMs(item) < newMs,
    );
  }

  /** Ends everything that lasts until the end of a run. */
  calm(): void {
    Object.assign(this.lasting, { refusals: [], bareUntilMs: -Infinity, isEndless: false });
    this.items = this.items.map((item) =>
      item.ends?.atMs === never ? { ...item, ends: { ...item.ends, atMs: 0 } } : item,
    );
  }

  /** Somebody changes a resource in the console. */
  meddle(how: Meddling, id: string, nowMs: number): void {
    this.settle(nowMs);
    const item = this.items.find((each) => each.id === id && /^(NEW|DEPLOYED)$/.test(each.status));
    if (!item) return;
    // Where the program has a secret, the colleague's value is one too.
    const hidden = ([name, value]: [string, string | number]): [string, string | number] =>
      String(item.fields[name]).startsWith(hush) ? [name, `${hush}${value}`] : [name, value];
    const fields = { ...item.fields, ...Object.fromEntries(Object.entries(meddlings[how]).map(hidden)) };
    const ends = { atMs: nowMs + workMs, status: "DEPLOYED" } as const;
    const again = { ...item, id: `${id.slice(0, 3)}-stranger-again`, status: "NEW", ends } as const;
    const isDeleted = how === "deletes" || how === "recreates";
    const changed = isDeleted
      ? { ...item, status: "DELETED" as const }
      : { ...item, fields, status: "NEW" as const, ends };
    this.items = this.items.map((each) => (each === item ? changed : each));
    if (how === "recreates") this.items = [...this.items, again];
    this.past.push({ atMs: nowMs, items: this.items });
  }

  private get atStart(): readonly Item[] {
    return this.past[0]?.items ?? [];
  }

  private itemsAt(atMs: number): readonly Item[] {
    const last = this.past.findLast((each) => each.atMs <= atMs);
    return settled(last?.items ?? [], atMs);
  }

  private read(asked: Asked, items: readonly Item[]): Answered {
    const { kind, id, below } = placeOf(asked);
    if (id === undefined) return this.list(kind, asked, items);
    if (this.isBare && below === undefined) return unavailable;
    const item = items.find((each) => each.id === id && each.kind === kind);
    if (!item || (item.status === "DELETED" && !this.choices.isDeletedShown)) return notFound(id);
    return below === undefined ? { status: 200, body: this.shown(item, true) } : this.below(item, below);
  }

  private write(asked: Asked, nowMs: number): Answered {
    const { kind, id } = placeOf(asked);
    if (id === undefined) return this.create(kind, asked, nowMs);
    const item = this.items.find((each) => each.id === id && each.kind === kind);
    if (!item || item.status === "DELETED") return notFound(id);
    return asked.method === "DELETE" ? this.delete(item, nowMs) : this.update(item, asked, nowMs);
  }

  private create(kind: Item["kind"], { body = {} }: Asked, nowMs: number): Answered {
    const fields = this.fieldsOf(kind, body);
    const at = kind === "tunnel" ? { ...fields, locationId: fields["locationId"] ?? "loc-0" } : this.placed(fields);
    const clash = this.clash(kind, at, undefined);
    if (clash) return clash;
    this.given += 1;
    const id = `${kind === "tunnel" ? "tnl" : "shr"}-${this.given}`;
    const item: Item = { id, kind, fields: at, status: "NEW", ends: this.provisioned(at, nowMs) };
    this.items = [...this.items, item];
    return this.accepted(item);
  }

  private update(item: Item, { method, body = {} }: Asked, nowMs: number): Answered {
    if (item.kind === "tunnel") return refused(405, "invalid_request", "a tunnel has no update");
    if (item.status === "DELETING") return this.conflict(`${item.id} is DELETING`);
    const changed = this.fieldsOf("share", body);
    const fields = method === "PUT" ? this.placed(changed) : { ...item.fields, ...changed };
    const clash = this.clash("share", fields, item.id);
    if (clash) return clash;
    return this.replaced(item, { ...item, fields, status: "NEW", ends: this.provisioned(fields, nowMs) });
  }

  private delete(item: Item, nowMs: number): Answered {
    if (item.status === "DELETING") return this.conflict(`${item.id} is DELETING`);
    if (item.kind === "tunnel" && this.items.some((each) => isLive(each) && each.fields["ipsecTunnelId"] === item.id))
      return refused(400, "invalid_request", "IPsec shares still target it");
    return this.replaced(item, { ...item, status: "DELETING", ends: { atMs: this.endOf(nowMs), status: "DELETED" } });
  }

  private below(item: Item, what: string): Answered {
    if (this.choices.isForbidden && what !== "sample-config") return refused(403, "forbidden", "not with this token");
    if (item.status !== "DEPLOYED") return this.conflict(`${item.id} is not DEPLOYED`);
    if (what === "sample-config") return { status: 200, body: `! pre-shared key for ${item.id}: psk-${item.id}` };
    return { status: 200, body: { state: "available", tunnels: [{ outsideIpAddress: "192.0.2.1", status: "UP" }] } };
  }

  private list(kind: Item["kind"], { query }: Asked, items: readonly Item[]): Answered {
    if (query.getAll("ingressPort").some((value) => !/^\d+$/.test(value)))
      return refusedForGood("ingressPort", "integer");
    const size = Math.min(Number(query.get("size") ?? 20), this.choices.pageSize);
    const page = Number(query.get("page") ?? 0);
    const names = [...new Set(query.keys())].filter((name) => !["page", "size", "sort"].includes(name));
    const isMatch = (item: Item) =>
      !this.choices.isFiltering ||
      names.every((name) =>
        [item.fields, this.spelled(item.fields)].some((fields) =>
          query.getAll(name).includes(String({ ...fields, id: item.id, status: item.status }[name])),
        ),
      );
    const found = items.filter(
      (item) => item.kind === kind && (isLive(item) || this.choices.isDeletedShown) && isMatch(item),
    );
    if (this.choices.isNewestFirst) found.reverse();
    const content = found.slice(page * size, (page + 1) * size).map((item) => this.shown(item, false));
    const body = {
      ...{ content, pageable: { pageNumber: page, pageSize: size } },
      ...{ totalElements: found.length, totalPages: Math.ceil(found.length / size) },
    };
    return { status: 200, body };
  }

  private clash(kind: Item["kind"], fields: Item["fields"], id: string | undefined): Answered | undefined {
    const others = this.items.filter((item) => item.kind === kind && isLive(item) && item.id !== id);
    if (kind === "tunnel") {
      const other = others.find((item) => item.fields["locationId"] === fields["locationId"]);
      return other && this.conflict(`location is taken by ${other.id}`);
    }
    const { ipsecTunnelId, ingressPort } = fields;
    const tunnel = this.items.find((item) => item.id === ipsecTunnelId && item.kind === "tunnel");
    if (tunnel?.status !== "DEPLOYED") return this.conflict(`tunnel ${String(ipsecTunnelId)} is not DEPLOYED`);
    const other = others.find(
      (item) => item.fields["ipsecTunnelId"] === ipsecTunnelId && item.fields["ingressPort"] === ingressPort,
    );
    return other && this.conflict(`port is taken by ${other.id}`);
  }

  private fieldsOf(kind: Item["kind"], body: Record<string, string | number | undefined>): Item["fields"] {
    const { keeps = {} } = this.choices;
    const kept = (value: string | number) => (this.lasting.isOther ? otherOf(value) : (keeps[value] ?? value));
    return Object.fromEntries(
      known[kind].flatMap((name) => {
        const value = body[name];
        return value === undefined ? [] : [[name, changing.includes(name) ? kept(value) : value]];
      }),
    );
  }

  private provisioned(fields: Item["fields"], nowMs: number): Item["ends"] {
    const isFailing = this.failing > 0;
    if (isFailing) this.failing -= 1;
    const isMisplaced = this.choices.isPlacing && this.placed(fields)["locationId"] !== this.placeOn(fields);
    return { atMs: this.endOf(nowMs), status: isFailing || isMisplaced ? "ERROR" : "DEPLOYED" };
  }

  private endOf(nowMs: number): number {
    const { isEndless } = this.lasting;
    this.lasting.isEndless = false;
    return isEndless ? never : nowMs + workMs;
  }

  private placeOn({ ipsecTunnelId, locationId }: Item["fields"]): Item["fields"][string] {
    return ipsecTunnelId === undefined
      ? locationId
      : this.items.find(({ id }) => id === ipsecTunnelId)?.fields["locationId"];
  }

  /** The fields of a share with a location, if the service gives it one. */
  private placed(fields: Item["fields"]): Item["fields"] {
    return this.choices.isPlacing ? { ...fields, locationId: fields["locationId"] ?? this.placeOn(fields) } : fields;
  }

  private replaced(old: Item, item: Item): Answered {
    this.items = this.items.map((each) => (each === old ? item : each));
    return this.accepted(item);
  }

  private accepted(item: Item): Answered {
    const { accepted } = this.choices;
    return accepted === 204 ? { status: 204 } : { status: accepted, body: this.shown(item, false) };
  }

  /** The fields as the service keeps them. */
  private spelled(fields: Item["fields"]): Record<string, string | number | undefined> {
    const { respelled } = this.choices;
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        name === respelled && typeof value === "string" ? respelling(value) : value,
      ]),
    );
  }

  private conflict(message: string): Answered {
    return refused(this.choices.conflict, this.choices.conflict === 400 ? "invalid_request" : "conflict", message);
  }

  private shown({ id, kind, fields, status }: Item, isWhole: boolean): Record<string, unknown> {
    const missing = this.choices.unset === null ? optional[kind].filter((name) => fields[name] === undefined) : [];
    const isReady = status === "DEPLOYED";
    const left = this.isBare && !isWhole ? optional[kind] : [];
    const all = Object.fromEntries(Object.entries(this.spelled(fields)).filter(([name]) => !left.includes(name)));
    return {
      ...{ id, frontdoorId: this.frontDoor, status, ...all },
      ...Object.fromEntries(missing.map((name) => [name, null])),
      ...(kind === "tunnel" &&
        isWhole && {
          nlbPrivateIp: fields["nlbPrivateIp"] ?? "10.90.0.10",
          nlbDnsName: isReady ? `${id}.nlb.example` : "",
          vpnConnectionId: isReady ? `vpn-${id}` : "",
        }),
    };
  }
}

/** Another spelling of a text: `203.0.113.7` and `10.20.0.0/16` have none. */
const respelling = (text: string) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

const unavailable: Answered = { status: 503, body: { error: "unavailable", message: "try again" } };

/** A refusal in the specification's form. */
export const refusedForGood = (property: string, type: string): Answered =>
  refused(400, "invalid_request", `Value for \`${property}\` must be of \`${type}\``);

const notFound = (id: string): Answered => refused(404, "not_found", `${id} was not found`);

function placeOf({ path }: Pick<Asked, "path">): {
  kind: Item["kind"];
  id: string | undefined;
  below: string | undefined;
} {
  const [, collection, id, below] = path.split("/");
  return { kind: collection === "ipsec-tunnels" ? "tunnel" : "share", id, below };
}

const settled = (items: readonly Item[], nowMs: number): readonly Item[] =>
  items.some(({ ends }) => ends && ends.atMs <= nowMs)
    ? items.map((item) =>
        item.ends && item.ends.atMs <= nowMs ? { ...item, status: item.ends.status, ends: undefined } : item,
      )
    : items;

export const refused = (status: number, error: string, message: string): Answered => ({
  status,
  body: { error, message },
});
