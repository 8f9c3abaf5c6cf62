import type { Answered, Asked, Service } from "./service";

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
export type FaultKind = (typeof faultKinds)[number];

/** A fault at the n-th request of a run, counted from 0. */
export interface Fault {
  at: number;
  kind: FaultKind;
  /** Counts only such requests, as `requestOf` calls them. */
  of?: string;
}

const onReads: readonly FaultKind[] = ["503 before", "malformed", "engine killed before", "Ctrl-C"];

/** The faults that make a difference at a request with this method. */
export const kindsAt = (method: string): readonly FaultKind[] =>
  method === "GET" ? onReads : faultKinds.filter((kind) => kind !== "work fails" || method !== "DELETE");

/** A request as faults and rare states know it, such as `POST share`. */
export const requestOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.startsWith("/ipsec-tunnels") ? "tunnel" : "share"}`;

/** Tells which fault hits the latest request of a run. */
export function faultAt(
  fault: Fault | undefined,
  sent: readonly Pick<Asked, "method" | "path">[],
): FaultKind | undefined {
  if (!fault) return undefined;
  const { at, of, kind } = fault;
  const counted = of === undefined ? sent : sent.filter((each) => requestOf(each) === of);
  const isCounted = counted.at(-1) === sent.at(-1);
  return isCounted && counted.length - 1 === at ? kind : undefined;
}

/** The means of a fault: the service, the request's effect, and the processes. */
export interface Strike {
  service: Service;
  /** Status of the page that a gateway sends instead of the answer to a read. */
  pageStatus: number;
  isRead: boolean;
  /** Lets the request take effect, and returns its answer. */
  work: () => Answered;
  /** Lets the request take effect later. */
  workLate: () => void;
  kill: (who: "engine" | "provider") => void;
  interrupt: () => void;
}

const unavailable: Answered = { status: 503, body: { error: "unavailable", message: "try again" } };

/** Returns the answer that arrives, or undefined if none arrives. */
export function struck(kind: FaultKind, strike: Strike): Answered | undefined {
  const { service, pageStatus, isRead, work, workLate, kill, interrupt } = strike;
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
    case "Ctrl-C":
      interrupt();
      return work();
  }
}

/** An answer as it goes over the wire. */
export function written({ status, body }: Answered): { status: number; headers: Record<string, string>; text: string } {
  const isText = typeof body === "string";
  const type = !isText ? "application/json" : body.startsWith("<") ? "text/html" : "text/plain";
  const text = body === undefined ? "" : isText ? body : JSON.stringify(body);
  return { status, headers: { "content-type": type }, text };
}
