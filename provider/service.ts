import { type Clock, systemClock } from "./time/clock";
import type { Config } from "./config";
import { FrontdoorError } from "./errors";
import { Client } from "./http/client";
import { openPool } from "./http/send";
import { Claims } from "./ownership/claims";
import { Creates, type OwnCreates } from "./ownership/creates";
import { Departures } from "./ownership/departures";
import { Moves } from "./ownership/moves";
import { recordFiles, recordFolder } from "./ownership/record-files";
import { Poller } from "./inventory/poller";
import { Collection } from "./api/collection";
import { ListTrouble } from "./inventory/list-trouble";
import { lookTogether } from "./inventory/look";
import { Names } from "./inventory/names";
import { wireShare } from "./api/shares";
import { Recent } from "./inventory/recent";
import { Snapshot } from "./inventory/snapshot";
import { wireTunnel } from "./api/tunnels";
import { Turns } from "./inventory/turns";
import type { Named, WireShare, WireTunnel } from "./api/types";
import { wireId } from "./api/wire";
import { UnderWay } from "./inventory/under-way";

/** One kind of resource of one front door: its calls, and the one poller all its waits share. */
export interface Kind<Wire extends Named> {
  calls: Collection<Wire>;
  poller: Poller<Wire>;
  names: Names<Wire>;
  snapshot: Snapshot<Wire>;
  claims: Claims;
  departures: Departures;
  moves: Moves;
  creates: OwnCreates;
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

/** The service as one configuration reaches it; everything that is shared in a process hangs on it. */
export class Service {
  private readonly frontDoors = new Map<string, FrontDoor>();

  constructor(
    readonly config: Config,
    private readonly client: Client,
    readonly clock: Clock,
    /** Tells the user something in one line. */
    readonly say: (line: string) => void,
    private readonly creates: Creates,
  ) {}

  /** @throws FrontdoorError `failed` where a path with this id would lead elsewhere. */
  frontDoor(id: string): FrontDoor {
    const known = this.frontDoors.get(id);
    if (known) return known;
    if (!wireId.safeParse(id).success) throw new FrontdoorError(wrongFrontDoor, { kind: "failed" });
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

  private kind<Wire extends Named>(
    place: readonly string[],
    calls: Collection<Wire>,
    isWhole: (entry: Wire) => boolean,
    matchesAny: boolean,
  ): Kind<Wire> {
    const trouble = new ListTrouble();
    return {
      calls,
      poller: new Poller(lookTogether(calls, isWhole, matchesAny, this.clock, trouble), this.clock),
      names: new Names(calls, new Recent(calls, this.clock), this.clock, matchesAny ? 50 : 1),
      claims: new Claims(),
      departures: new Departures(),
      moves: new Moves(),
      creates: this.creates.at(place),
      snapshot: new Snapshot(calls, this.clock, trouble),
      underWay: new UnderWay(),
      turns: new Turns(),
    };
  }
}

const wrongFrontDoor =
  "frontdoorId (the resource's, or in its state) must be an id: letters, digits and . _ : ~ - (at most 128); nothing was sent. " +
  'Mend one in a state with "pulumi stack export" and "pulumi stack import"';

/** List entries of tunnels lack what a deployed tunnel has (spec: IPsec tunnel). */
const isWholeTunnel = (entry: WireTunnel) => entry.status !== "DEPLOYED" || entry.nlbDnsName !== undefined;

/** The engine shows a line of this process among the run's messages. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const services = new Map<string, { service: Service; creates: Creates }>();

/** The service of this configuration: one a process, shared by all resources. */
export function connect(config: Config): Service {
  const key = JSON.stringify(config);
  const known = services.get(key);
  if (known) return known.service;
  const creates = new Creates(recordFiles(recordFolder(config.baseUrl, process.env), say));
  const service = new Service(config, new Client(config, openPool().send, systemClock), systemClock, say, creates);
  services.set(key, { service, creates });
  return service;
}

/** Told that the run has ended in order: what was created has reached the state. */
export function runEnded(): void {
  for (const { creates } of services.values()) creates.saved();
}
