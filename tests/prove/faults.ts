import {
  type Answered,
  type Asked,
  type Meddling,
  meddlings,
  refused,
  refusedForGood,
  type Service,
  type Status,
} from "./service";

/** The faults that one request of a run can meet. */
export const faultKinds = [
  "never arrives",
  "answer lost",
  "takes effect late",
  "503 before",
  "503 after",
  "429",
  "malformed",
  "work fails",
  "engine killed before",
  "engine killed after",
  "provider killed before",
  "provider killed after",
  "provider killed, takes effect late",
  "Ctrl-C",
] as const;
/** The faults that show only with a longer pause, a second fault, or in what the provider says. The walk of pairs adds them. */
export const rarerKinds = [
  "503 after, pause of 20 s",
  "503 after, pause of 40 s",
  "503 after, pause beyond each deadline",
  "429, pause of 40 s",
  "refused for good",
  "refused over another matter",
  "refused while busy",
  "work never ends",
  "reads lag",
  "lists bare, reads fail",
  "not visible yet",
  "place not free yet",
  "provider killed before, clock set back",
] as const;
/** What happens on ordinary days: somebody works in the console, a write is slow, or the service keeps another value. */
export const dayKinds = [
  ...(Object.keys(meddlings) as Meddling[]),
  "keeps another value",
  "takes effect after 35 s",
  "provider killed before",
] as const;
export type FaultKind = (typeof faultKinds)[number] | (typeof rarerKinds)[number] | (typeof dayKinds)[number];

/** The events of an ordinary day that make a difference at a request with this method. */
export const dayKindsAt = (method: string): readonly FaultKind[] =>
  dayKinds.filter((kind) =>
    method === "GET" ? !/keeps|35 s/.test(kind) : kind !== "keeps another value" || method !== "DELETE",
  );

/** A fault at the n-th request of a run, counted from 0. */
export interface Fault {
  at: number;
  kind: FaultKind;
  /** Counts only such requests, as `requestOf` calls them. */
  of?: string;
  /** A second fault of the same run. */
  also?: Fault;
}

const onReads: readonly FaultKind[] = ["503 before", "malformed", "engine killed before", "Ctrl-C"];

const rarerOnReads: readonly FaultKind[] = [
  "503 after, pause of 20 s",
  "429, pause of 40 s",
  "refused for good",
  "lists bare, reads fail",
];
const notOnDeletes: readonly FaultKind[] = ["work fails"];
const onlyOnCreates: readonly FaultKind[] = [
  "not visible yet",
  "place not free yet",
  "provider killed before, clock set back",
];

/** The faults that make a difference at a request with this method. */
export const kindsAt = (method: string): readonly FaultKind[] =>
  method === "GET" ? onReads : faultKinds.filter((kind) => !notOnDeletes.includes(kind) || method !== "DELETE");

export const allKindsAt = (method: string): readonly FaultKind[] => [
  ...kindsAt(method),
  ...(method === "GET"
    ? rarerOnReads
    : rarerKinds
        .filter((kind) => !notOnDeletes.includes(kind) || method !== "DELETE")
        .filter((kind) => !onlyOnCreates.includes(kind) || method === "POST")),
];

/** The words of the refusals, which the error of the operation must have. */
export const refusalWords: Partial<Record<FaultKind, string>> = {
  "refused for good": "Value for `target` must be of `host:port`",
  "refused over another matter": "the quota of peers is used up",
  "refused while busy": "other work is under way",
};

/** How long reads lag behind. docs/reliability.md assumes at most 30 s. */
const longLagMs = 28_000;
/** How long a new tunnel is not visible to other requests, and how long a freed place stays occupied. */
const settlingMs = 10_000;

/** A request as faults and rare states know it, such as `POST share`. */
export const requestOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.startsWith("/ipsec-tunnels") ? "tunnel" : "share"}`;

/** Tells which fault hits the latest request of a run. */
export function faultAt(
  fault: Fault | undefined,
  sent: readonly Pick<Asked, "method" | "path">[],
): FaultKind | undefined {
  if (!fault) return undefined;
  const { at, of, kind, also } = fault;
  const second = faultAt(also, sent);
  if (second) return second;
  const counted = of === undefined ? sent : sent.filter((each) => requestOf(each) === of);
  const isCounted = counted.at(-1) === sent.at(-1);
  return isCounted && counted.length - 1 === at ? kind : undefined;
}

/** The means of a fault: the service, the request's effect, and the processes. */
export interface Strike {
  service: Service;
  asked: Asked;
  nowMs: number;
  /** How long reads fail, or a DELETE is refused, at most. On Pulumi, no run may wait for a deadline of minutes. */
  mostMs?: number;
  /** Status of the page that a gateway sends instead of the answer to a read. */
  pageStatus: number;
  isRead: boolean;
  /** Lets the request take effect, and returns its answer. */
  work: () => Answered;
  /** Lets the request take effect later, by default after 5 s. */
  workLate: (afterMs?: number) => void;
  kill: (who: "engine" | "provider") => void;
  interrupt: () => void;
}

const unavailable: Answered = { status: 503, body: { error: "unavailable", message: "try again" } };

/** Returns the answer that arrives, or undefined if none arrives. */
export function struck(kind: FaultKind, strike: Strike): Answered | undefined {
  const { service, asked, nowMs, mostMs = Infinity, pageStatus, isRead, work, workLate, kill, interrupt } = strike;
  const { lasting } = service;
  const ofKind = requestOf(asked);
  const refusedMs = asked.method === "DELETE" ? mostMs : Infinity;
  /** Refuses this request and all that are like it. */
  const refuse = (answer: Answered, forMs: number, isFor = (other: Asked) => isAlike(asked, other)) => {
    lasting.refusals.push({ untilMs: nowMs + forMs, answer, isFor });
    return answer;
  };
  switch (kind) {
    case "never arrives":
      return undefined;
    case "answer lost":
      work();
      return undefined;
    case "takes effect late":
      workLate();
      return undefined;
    case "503 before":
      return unavailable;
    case "503 after":
      work();
      return unavailable;
    case "429":
      return { status: 429, body: { error: "too_many", message: "slow down" } };
    case "malformed":
      work();
      return { status: isRead ? pageStatus : 200, body: "<html>gateway</html>" };
    case "work fails":
      service.failing = 1;
      return work();
    case "engine killed before":
      kill("engine");
      return work();
    case "engine killed after": {
      const answer = work();
      kill("engine");
      return answer;
    }
    case "503 after, pause of 20 s":
      work();
      return { ...unavailable, pause: 20 };
    case "503 after, pause of 40 s":
      work();
      return { ...unavailable, pause: 40 };
    case "503 after, pause beyond each deadline":
      work();
      return { ...unavailable, pause: 4_000 };
    case "429, pause of 40 s":
      return { status: 429, body: { error: "too_many", message: "slow down" }, pause: 40 };
    case "refused for good":
      return isRead
        ? refused(400, "invalid_request", "Value for `filter` must be of `string`")
        : refuse(refusedForGood("target", "host:port"), refusedMs);
    case "refused over another matter":
      return refuse(refused(409, "conflict", refusalWords[kind] ?? ""), refusedMs);
    case "refused while busy":
      return refuse(refused(409, "conflict", refusalWords[kind] ?? ""), settlingMs);
    case "work never ends":
      lasting.isEndless = true;
      return work();
    case "reads lag": {
      const { items } = service;
      lasting.stale = { untilMs: nowMs + longLagMs, items };
      return work();
    }
    case "lists bare, reads fail":
      lasting.bareUntilMs = nowMs + mostMs;
      return work();
    case "not visible yet":
      return ofKind === "POST share" && service.isNew(asked.body?.["ipsecTunnelId"], nowMs)
        ? refuse(refused(404, "not_found", `${String(asked.body?.["ipsecTunnelId"])} was not found`), settlingMs)
        : work();
    case "place not free yet":
      return service.isFreed(asked, nowMs)
        ? refuse(refused(409, "conflict", "the place is not free yet"), settlingMs)
        : work();
    case "provider killed before, clock set back":
    case "provider killed before":
      kill("provider");
      return undefined;
    case "provider killed after":
      work();
      kill("provider");
      return undefined;
    case "provider killed, takes effect late":
      workLate();
      kill("provider");
      return undefined;
    case "takes effect after 35 s":
      workLate(35_000);
      return undefined;
    case "keeps another value": {
      lasting.isOther = true;
      const answer = work();
      lasting.isOther = false;
      return answer;
    }
    case "edits the target":
    case "edits the port":
    case "renames":
    case "deletes":
    case "recreates": {
      const id = meddledWith(asked, service);
      if (id !== undefined) service.meddle(kind, id, nowMs);
      return work();
    }
    case "Ctrl-C":
      interrupt();
      return work();
  }
}

/** The resource that somebody changes in the console: the share of the request, the one that is being changed, or the oldest. */
export const meddledWith = ({ path }: Pick<Asked, "path">, { items }: Pick<Service, "items">): string | undefined => {
  const id = path.split("/")[2];
  const shares = items.filter((each) => each.kind === "share" && !each.id.includes("stranger"));
  const isIn = (wanted: Status) => shares.find(({ status }) => status === wanted);
  return (shares.find((each) => each.id === id) ?? isIn("NEW") ?? isIn("DEPLOYED"))?.id;
};

/** True if one request is a repetition of the other: the same write of the same resource. */
const isAlike = (one: Asked, other: Asked) =>
  one.method === other.method && one.path === other.path && one.body?.["name"] === other.body?.["name"];

/** An answer as it goes over the wire. */
export function written({ status, body, pause }: Answered): {
  status: number;
  headers: Record<string, string>;
  text: string;
} {
  const isText = typeof body === "string";
  const type = !isText ? "application/json" : body.startsWith("<") ? "text/html" : "text/plain";
  const text = body === undefined ? "" : isText ? body : JSON.stringify(body);
  const headers: Record<string, string> = { "content-type": type };
  if (pause !== undefined) headers["retry-after"] = String(pause);
  return { status, headers, text };
}
