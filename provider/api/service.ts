import { type Clock, systemClock } from "../clock";
import type { Config } from "../config";
import { Client } from "../http/client";
import { openPool } from "../http/send";
import { Poller } from "../wait";
import { Collection } from "./collection";
import { ListTrouble } from "./list-trouble";
import { lookTogether } from "./look";
import { Names } from "./names";
import { wireShare } from "./shares";
import { Recent } from "./recent";
import { Snapshot } from "./snapshot";
import { wireTunnel } from "./tunnels";
import { Turns } from "./turns";
import type { Named, WireShare, WireTunnel } from "./types";
import { UnderWay } from "./under-way";

/** One kind of resource of one front door: its calls, and the one poller all its waits share. */
export interface Kind<Wire extends Named> {
  calls: Collection<Wire>;
  poller: Poller<Wire>;
  names: Names<Wire>;
  snapshot: Snapshot<Wire>;
  underWay: UnderWay;
  /** Of writes that are refused as busy, by tunnel. */
  turns: Turns;
  /** Ids that creates of this process have made. */
  made: Set<string>;
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
  ) {}

  frontDoor(id: string): FrontDoor {
    const known = this.frontDoors.get(id);
    if (known) return known;
    const tunnels = new Collection(this.client, `/v2/${id}/ipsec-tunnels`, wireTunnel);
    const shares = new Collection(this.client, `/v2/${id}/ipsec-shares`, wireShare);
    const frontDoor = {
      id,
      tunnels: this.kind(tunnels, isWholeTunnel, false),
      shares: this.kind(shares, () => true, true),
    };
    this.frontDoors.set(id, frontDoor);
    return frontDoor;
  }

  private kind<Wire extends Named>(
    calls: Collection<Wire>,
    isWhole: (entry: Wire) => boolean,
    matchesAny: boolean,
  ): Kind<Wire> {
    const trouble = new ListTrouble();
    return {
      calls,
      poller: new Poller(lookTogether(calls, isWhole, matchesAny, trouble), this.clock),
      names: new Names(calls, new Recent(calls, this.clock), this.clock, matchesAny ? 50 : 1),
      snapshot: new Snapshot(calls, this.clock, trouble),
      underWay: new UnderWay(),
      turns: new Turns(),
      made: new Set(),
    };
  }
}

/** List entries of tunnels lack what a deployed tunnel has (spec: IPsec tunnel). */
const isWholeTunnel = (entry: WireTunnel) => entry.status !== "DEPLOYED" || entry.nlbDnsName !== undefined;

/** The engine shows a line of this process among the run's messages. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const services = new Map<string, Service>();

/** The service of this configuration: one a process, shared by all resources. */
export function connect(config: Config): Service {
  const key = JSON.stringify(config);
  const known = services.get(key);
  if (known) return known;
  const service = new Service(config, new Client(config, openPool().send, systemClock), systemClock, say);
  services.set(key, service);
  return service;
}
