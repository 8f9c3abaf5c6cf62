import type { Clock, Until } from "./time/clock";
import type { Config } from "./config";
import { failed } from "./errors";
import { Client } from "./http/client";
import { Redactor } from "./http/redact";
import type { openPool } from "./http/send";
import { Claims } from "./ownership/claims";
import { Creates, hashOf, type OwnCreates, type RecordStore } from "./ownership/creates";
import { Deletes, type OwnDeletes } from "./ownership/deletes";
import { Departures } from "./ownership/departures";
import { type RunStore, sole } from "./ownership/run-files";
import { Moves } from "./ownership/moves";
import { Collection } from "./api/collection";
import { Inventory } from "./inventory/inventory";
import { wireShare } from "./api/shares";
import { wireTunnel } from "./api/tunnels";
import { Turns } from "./inventory/turns";
import type { Named, WireShare, WireTunnel } from "./api/types";
import { wireId } from "./api/wire";
import { UnderWay } from "./inventory/under-way";

/** One kind of resource of one front door: its calls, and what is known of all of them. */
export interface Kind<Wire extends Named> {
  calls: Collection<Wire>;
  clock: Clock;
  inventory: Inventory<Wire>;
  claims: Claims;
  departures: Departures;
  moves: Moves;
  creates: OwnCreates;
  deletes: OwnDeletes;
  underWay: UnderWay;
  /** Of writes that are refused as busy, by tunnel. */
  turns: Turns;
}

/** The two kinds of resources of one front door. */
export interface FrontDoor {
  id: string;
  tunnels: Kind<WireTunnel>;
  shares: Kind<WireShare>;
}

export type Transport = ReturnType<typeof openPool>;

/** What a service is opened with. */
export interface Opening {
  config: Config;
  /** Time and chance. */
  clock: Clock;
  /** Sends requests; closed with the service. */
  transport: Transport;
  /** Tells the user something in one line. */
  say: (line: string) => void;
  /** This machine's records of unfinished creates and deletes. */
  records: RecordStore;
  /** What other provider processes of the run hold; without it there is none. */
  run?: RunStore;
}

/** The service as one configuration reaches it; everything that its resources share hangs on it, and ends with it. */
export class Service {
  readonly config: Config;
  readonly clock: Clock;
  readonly say: (line: string) => void;
  /** Values of inputs that are secrets, of all resources: the message of one can name another. */
  readonly secrets = new Redactor();
  private readonly transport: Transport;
  private readonly client: Client;
  private readonly run: RunStore;
  private readonly creates: Creates;
  private readonly deletes: Deletes;
  private readonly frontDoors = new Map<string, FrontDoor>();
  private readonly stopping = new AbortController();
  private isClosed = false;

  constructor({ config, clock, transport, say, records, run = sole }: Opening) {
    this.run = run;
    this.config = config;
    this.clock = clock;
    this.say = say;
    this.transport = transport;
    this.client = new Client(config, async (request) => this.open().send(request), clock, this.secrets);
    this.creates = new Creates(records);
    this.deletes = new Deletes(records, () => clock.wall());
  }

  /** How long an operation that begins now may take. @throws FrontdoorError `failed` once the service has been closed. */
  until(seconds: number): Until {
    this.open();
    const startedMs = this.clock.now();
    return { startedMs, deadlineMs: startedMs + seconds * 1000, signal: this.stopping.signal };
  }

  /** Told that the run has ended in order: what was created, or is gone, has reached the state. */
  saved(): void {
    this.creates.saved();
    this.deletes.saved();
    this.run.close();
  }

  /** Ends every wait in order; a write under way still ends. */
  stop(): void {
    this.stopping.abort("stopped");
  }

  /** Ends everything at once and gives back what it holds: waits, timers and connections. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.stop();
    await this.transport.close();
  }

  /** Redacts the credentials in a text that is shown to people. */
  redacted(text: string): string {
    return this.client.redacted(text);
  }

  /** Whether this run replaces tunnels, on whatever front door, but not this one. */
  isSpared(tunnelId: string, { tunnels }: FrontDoor): boolean {
    const isAnyReplaced = [...this.frontDoors.values()].some((each) => each.tunnels.claims.hasReplaced);
    return isAnyReplaced && tunnels.claims.replacement(tunnelId) === undefined;
  }

  /** @throws FrontdoorError `failed` where a path with this id would lead elsewhere. */
  frontDoor(id: string): FrontDoor {
    const known = this.frontDoors.get(id);
    if (known) return known;
    if (!wireId.safeParse(id).success) throw failed(wrongFrontDoor);
    const tunnels = new Collection(this.client, `/v2/${id}/ipsec-tunnels`, wireTunnel);
    const shares = new Collection(this.client, `/v2/${id}/ipsec-shares`, wireShare);
    const frontDoor = {
      id,
      tunnels: this.kind(["tunnel", id], tunnels, isWholeTunnel, false),
      shares: this.kind(["share", id], shares, () => true, true),
    };
    this.frontDoors.set(id, frontDoor);
    return frontDoor;
  }

  private open(): Transport {
    if (!this.isClosed) return this.transport;
    throw failed("the service has been closed: nothing was sent");
  }

  private kind<Wire extends Named>(
    place: readonly string[],
    calls: Collection<Wire>,
    isWhole: (entry: Wire) => boolean,
    matchesAny: boolean,
  ): Kind<Wire> {
    return {
      calls,
      clock: this.clock,
      inventory: new Inventory(calls, this.clock, isWhole, matchesAny),
      claims: new Claims(this.run, (id) => hashOf([this.config.baseUrl, ...place, id])),
      departures: new Departures(this.clock),
      moves: new Moves(this.clock),
      creates: this.creates.at(place),
      deletes: this.deletes.at(place),
      underWay: new UnderWay(),
      turns: new Turns(this.clock),
    };
  }
}

const wrongFrontDoor =
  "frontdoorId (the resource's, or in its state) must be an id: letters, digits and . _ : ~ - (at most 128); nothing was sent. " +
  'Mend one in a state with "pulumi stack export" and "pulumi stack import"';

/** Several can be open side by side: each has its own connections, pace, token and memory of the run. */
export const openService = (opening: Opening): Service => new Service(opening);

/** List entries of tunnels lack what a deployed tunnel has (spec: IPsec tunnel). */
const isWholeTunnel = (entry: WireTunnel) => entry.status !== "DEPLOYED" || entry.nlbDnsName !== undefined;
