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
}

export type Status = "NEW" | "DEPLOYED" | "ERROR" | "DELETING" | "DELETED";

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
}

const workMs = 1_000;
const optional = { tunnel: ["locationId", "nlbPrivateIp"], share: ["locationId"] };
const known = {
  tunnel: ["name", "locationId", "peerPublicIp", "peerCidr", "nlbPrivateIp"],
  share: ["name", "ipsecTunnelId", "envZId", "target", "ingressPort", "locationId"],
};

const isLive = ({ status }: Item) => status !== "DELETED";

/** The service of the specification, as a value: a copy of `items` is a copy of the service. */
export class Service {
  /** How many ids the service has given out. */
  given: number;
  /** How many of the next provisionings end in ERROR. */
  failing = 0;

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
    if (asked.method === "GET") return this.read(asked, this.itemsAt(nowMs - this.choices.lagMs));
    const answer = this.write(asked, nowMs);
    this.past.push({ atMs: nowMs, items: this.items });
    return answer;
  }

  private itemsAt(atMs: number): readonly Item[] {
    const last = this.past.findLast((each) => each.atMs <= atMs);
    return settled(last?.items ?? [], atMs);
  }

  private read(asked: Asked, items: readonly Item[]): Answered {
    const { kind, id, below } = placeOf(asked);
    if (id === undefined) return this.list(kind, asked, items);
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
    const at = kind === "tunnel" ? { ...fields, locationId: fields["locationId"] ?? "loc-0" } : fields;
    const clash = this.clash(kind, at, undefined);
    if (clash) return clash;
    this.given += 1;
    const id = `${kind === "tunnel" ? "tnl" : "shr"}-${this.given}`;
    const item: Item = { id, kind, fields: at, status: "NEW", ends: this.provisioned(nowMs) };
    this.items = [...this.items, item];
    return this.accepted(item);
  }

  private update(item: Item, { method, body = {} }: Asked, nowMs: number): Answered {
    if (item.kind === "tunnel") return refused(405, "invalid_request", "a tunnel has no update");
    if (item.status === "DELETING") return this.conflict(`${item.id} is DELETING`);
    const changed = this.fieldsOf("share", body);
    const fields = method === "PUT" ? changed : { ...item.fields, ...changed };
    const clash = this.clash("share", fields, item.id);
    if (clash) return clash;
    return this.replaced(item, { ...item, fields, status: "NEW", ends: this.provisioned(nowMs) });
  }

  private delete(item: Item, nowMs: number): Answered {
    if (item.status === "DELETING") return this.conflict(`${item.id} is DELETING`);
    if (item.kind === "tunnel" && this.items.some((each) => isLive(each) && each.fields["ipsecTunnelId"] === item.id))
      return refused(400, "invalid_request", "IPsec shares still target it");
    return this.replaced(item, { ...item, status: "DELETING", ends: { atMs: nowMs + workMs, status: "DELETED" } });
  }

  private below(item: Item, what: string): Answered {
    if (item.status !== "DEPLOYED") return this.conflict(`${item.id} is not DEPLOYED`);
    if (what === "sample-config") return { status: 200, body: `! pre-shared key for ${item.id}: psk-${item.id}` };
    return { status: 200, body: { state: "available", tunnels: [{ outsideIpAddress: "192.0.2.1", status: "UP" }] } };
  }

  private list(kind: Item["kind"], { query }: Asked, items: readonly Item[]): Answered {
    const size = Math.min(Number(query.get("size") ?? 20), this.choices.pageSize);
    const page = Number(query.get("page") ?? 0);
    const names = [...new Set(query.keys())].filter((name) => !["page", "size", "sort"].includes(name));
    const isMatch = (item: Item) =>
      !this.choices.isFiltering ||
      names.every((name) =>
        query.getAll(name).includes(String({ ...item.fields, id: item.id, status: item.status }[name])),
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
    return Object.fromEntries(known[kind].flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
  }

  private provisioned(nowMs: number): Item["ends"] {
    const isFailing = this.failing > 0;
    if (isFailing) this.failing -= 1;
    return { atMs: nowMs + workMs, status: isFailing ? "ERROR" : "DEPLOYED" };
  }

  private replaced(old: Item, item: Item): Answered {
    this.items = this.items.map((each) => (each === old ? item : each));
    return this.accepted(item);
  }

  private accepted(item: Item): Answered {
    const { accepted } = this.choices;
    return accepted === 204 ? { status: 204 } : { status: accepted, body: this.shown(item, false) };
  }

  private conflict(message: string): Answered {
    return refused(this.choices.conflict, this.choices.conflict === 400 ? "invalid_request" : "conflict", message);
  }

  private shown({ id, kind, fields, status }: Item, isWhole: boolean): Record<string, unknown> {
    const missing = this.choices.unset === null ? optional[kind].filter((name) => fields[name] === undefined) : [];
    const isReady = status === "DEPLOYED";
    return {
      ...{ id, frontdoorId: this.frontDoor, status, ...fields },
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

const notFound = (id: string): Answered => refused(404, "not_found", `${id} was not found`);

function placeOf({ path }: Asked): { kind: Item["kind"]; id: string | undefined; below: string | undefined } {
  const [, collection, id, below] = path.split("/");
  return { kind: collection === "ipsec-tunnels" ? "tunnel" : "share", id, below };
}

const settled = (items: readonly Item[], nowMs: number): readonly Item[] =>
  items.some(({ ends }) => ends && ends.atMs <= nowMs)
    ? items.map((item) =>
        item.ends && item.ends.atMs <= nowMs ? { ...item, status: item.ends.status, ends: undefined } : item,
      )
    : items;

const refused = (status: number, error: string, message: string): Answered => ({ status, body: { error, message } });
