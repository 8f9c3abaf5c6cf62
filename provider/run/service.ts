import type * as z from "zod";
import { Collection } from "../api/collection";
import { type Named, wireId, type WireShare, wireShare, type WireTunnel, wireTunnel } from "../api/wire";
import { addressOf, type Config } from "../config";
import { failed } from "../errors";
import { Client } from "../http/client";
import { Redactor } from "../http/redact";
import type { openPool } from "../http/send";
import {
  CreationRecordBook,
  type CreationRecord,
  type CreationRecords,
  createOf,
  type RecordStore,
} from "./creation-records";
import { Register } from "./register";
import { recordLastsMs } from "../consistency";
import { createsLeft, serviceClosed, wrongFrontDoor } from "../messages";
import type { Clock, Until } from "../time";
import { View } from "../view/view";

/** The tunnels or the shares of one front door: their calls, and what this run knows about them. */
export interface Kind<Wire extends Named> {
  calls: Collection<Wire>;
  clock: Clock;
  view: View<Wire>;
  register: Register;
  records: CreationRecords;
  /** The tunnels that the resources of this kind are on; undefined for tunnels. */
  tunnels?: Kind<WireTunnel>;
  /** The properties that say where a resource is to be, in a refusal of the service. */
  destination: RegExp;
  /** Returns how many milliseconds remain of a pause that the service asked for: no call is sent before. */
  pauseMs: () => number;
  /** Notes the name of an id in the state, for the request log. */
  noteName: (id: string, name: string) => void;
}

/** One front door of the service. */
export interface FrontDoor {
  id: string;
  tunnels: Kind<WireTunnel>;
  shares: Kind<WireShare>;
  /** Returns the kind of another resource on tunnels, opened once. */
  kind: <Wire extends Named>(path: Path<Wire>) => Kind<Wire>;
  /** What this run finds out once. */
  once: Once;
}

/** The place of a resource's entries at the service. */
export interface Path<Wire extends Named> {
  /** The word for one in ids, such as `tunnel`; its path is `ipsec-tunnels`. */
  noun: string;
  wire: z.ZodType<Wire>;
  /** True if a list entry shows every field. */
  isComplete?: (entry: Wire) => boolean;
  destination?: RegExp;
  /** False if the service does not promise that a repeated filter matches any of its values. */
  matchesAny?: false;
}

export type Transport = ReturnType<typeof openPool>;

/** The parts from which a service is opened. */
interface Opening {
  config: Config;
  clock: Clock;
  /** Sends requests; closed with the service. */
  transport: Transport;
  /** Shows one line to the user. */
  say: (line: string) => void;
  /** The creation records of this machine. */
  records: RecordStore;
}

/** The service as one configuration reaches it. All resources of that configuration share one. */
export interface Service {
  config: Config;
  /** The address that states note. */
  address: string;
  clock: Clock;
  /** The time at which the service was opened, on the monotonic clock. */
  startedMs: number;
  /** Shows one line to the user, redacted as errors are. */
  say: (line: string) => void;
  /** Redacts the credentials, and the secret inputs of all resources: the message about one resource can name another resource. */
  secrets: Redactor;
  /** Redacts the credentials in a text that people see. */
  redacted(text: string): string;
  /** Returns the deadline of an operation that begins now. @throws FrontdoorError `failed` once the service is closed. */
  until(seconds: number): Until;
  /** Begins an operation of Pulumi's, and returns its end. While one is under way, `endRun` keeps the creation records. */
  begin: () => () => void;
  /** Returns the front door of this id. @throws FrontdoorError `failed` if the id is not safe in a path. */
  frontDoor(id: string): FrontDoor;
  /** What this run knows about the resources of the program. Each kind of a front door has one beside it, with its ids and places. */
  register: Register;
  /** True if this run replaces tunnels, on whatever front door. */
  isReplacingTunnels(): boolean;
  /** Called when the run has ended in order: Pulumi has saved every result, so creation records with an id go. */
  endRun: () => void;
  /** The creation records of this machine. */
  creates: CreationRecordBook;
  /** Ends every wait in order; a write under way still ends. */
  stop: () => void;
  /** Ends everything at once, and closes the connections. */
  close: () => Promise<void>;
}

/** One operation of Pulumi's: the service that it uses, its deadline, its stop signal and its progress. */
export interface Context extends Until {
  service: Service;
  /** Paths of the arguments that are secret, such as `target`: no message has a value of one of them, also not Frontdoor's. */
  secrets?: readonly string[] | undefined;
  /** The address at which the state's resource was last seen, if it is not this service's: then its absence here proves nothing. */
  seenElsewhere?: string | undefined;
  /** In a diff, true if check has seen the resource: Pulumi also asks without a check. */
  isChecked?: boolean;
  /** In a diff, the URN, if Pulumi tells. */
  urn?: string;
  /** The inputs in the state: what the program declared before. Undefined if Pulumi does not tell. */
  oldInputs?: object | undefined;
}

/** Opens a service. Several can be open side by side: each has its own connections, pace, token and register. */
export function openService({ config, clock, transport, say, records }: Opening): Service {
  const secrets = new Redactor();
  const life = lifeOf(transport, clock);
  const redacting = (line: string) => {
    say(secrets.clean(line));
  };
  const client = new Client(config, transport.send, clock, { redactor: secrets, say: redacting });
  const creates = new CreationRecordBook(records);
  const register = new Register(clock);
  const frontDoors = new Map<string, FrontDoor>();
  let underWay = 0;
  return {
    config,
    address: addressOf(config.baseUrl),
    clock,
    secrets,
    creates,
    startedMs: clock.now(),
    say: redacting,
    stop: life.stop,
    close: life.close,
    redacted: (text) => secrets.cleanAnswer(text),
    until: life.until,
    begin() {
      underWay += 1;
      return () => void (underWay -= 1);
    },
    frontDoor(id) {
      const frontDoor = frontDoors.get(id) ?? openFrontDoor(id, { clock, client, register, book: creates });
      frontDoors.set(id, frontDoor);
      return frontDoor;
    },
    register,
    isReplacingTunnels: () => [...frontDoors.values()].some(({ tunnels }) => tunnels.register.isReplacing),
    endRun() {
      // A write that was stopped may be in no state.
      if (underWay === 0 && !life.isStopped()) creates.removeSavedRecords();
    },
  };
}

/** Returns a message about what an earlier run of this stack has created, and the program of this run does not declare; else undefined. */
export function createsLeftBy({ creates, register, clock, secrets }: Service): string | undefined {
  const isFresh = ({ postedAtMs }: CreationRecord) => clock.wall() - postedAtMs < recordLastsMs;
  const left = creates.leftBehind(register).filter(isFresh).map(createOf);
  return left.length === 0 ? undefined : secrets.clean(createsLeft(left));
}

/** The deadlines of operations until the connections are closed, and the signal that ends every wait. */
function lifeOf(transport: Transport, clock: Clock) {
  const stopping = new AbortController();
  let isClosed = false;
  const stop = () => {
    stopping.abort("stopped");
  };
  return {
    stop,
    until: (seconds: number): Until => {
      if (isClosed) throw failed(serviceClosed);
      const startedMs = clock.now();
      return { startedMs, deadlineMs: startedMs + seconds * 1000, signal: stopping.signal };
    },
    isStopped: () => stopping.signal.aborted,
    close: async (): Promise<void> => {
      isClosed = true;
      stop();
      await transport.close();
    },
  };
}

interface Parts {
  clock: Clock;
  client: Client;
  register: Register;
  book: CreationRecordBook;
}

function openFrontDoor(id: string, { clock, client, register, book }: Parts): FrontDoor {
  if (!wireId.safeParse(id).success) throw failed(wrongFrontDoor);
  const kinds = new Map<string, unknown>();
  const kind = <Wire extends Named>(path: Path<Wire>, tunnels?: Kind<WireTunnel>): Kind<Wire> => {
    const before = kinds.get(path.noun) as Kind<Wire> | undefined;
    if (before) return before;
    const scope = [path.noun, id] as const;
    const calls = new Collection(client, `/v2/${id}/ipsec-${path.noun}s`, path.wire);
    const { isComplete = () => true, matchesAny = true, destination = /tunnel/i } = path;
    const opened: Kind<Wire> = {
      calls,
      clock,
      destination,
      view: new View({ calls, clock, turn: (until) => client.turn(until), isComplete, matchesAny }),
      register: register.beside(),
      records: book.at(scope),
      pauseMs: () => client.pauseMs(),
      noteName: client.noteName.bind(client),
      ...(tunnels && { tunnels }),
    };
    kinds.set(path.noun, opened);
    return opened;
  };
  const tunnels = kind<WireTunnel>({
    noun: "tunnel",
    wire: wireTunnel,
    destination: /location/i,
    isComplete: isCompleteTunnel,
    matchesAny: false,
  });
  return {
    id,
    tunnels,
    shares: kind<WireShare>({ noun: "share", wire: wireShare, destination: /tunnel|port/i }, tunnels),
    kind: (path) => kind(path, tunnels),
    once: new Once(),
  };
}

/** Does the same work once, for all who need it. Work that fails, or finds nothing, is done again. */
export class Once {
  private readonly made = new Map<string, Promise<unknown>>();

  do<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.made.get(what) as Promise<Result> | undefined) ?? work();
    const forget = () => this.made.delete(what);
    this.made.set(what, result);
    result.then((found) => found ?? forget(), forget);
    return result;
  }

  /** Forgets every result. */
  forget(): void {
    this.made.clear();
  }
}

/** True if a list entry shows every field: entries of deployed tunnels can lack some (spec: IPsec tunnel). */
const isCompleteTunnel = (entry: WireTunnel) => entry.status !== "DEPLOYED" || entry.nlbDnsName !== undefined;
