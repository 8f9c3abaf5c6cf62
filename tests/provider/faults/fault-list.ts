import type { RequestFault } from "../../../emulator";

/** A fault without where and how often. */
export type BareFault = RequestFault extends infer Each
  ? Each extends RequestFault
    ? Omit<Each, "method" | "path" | "pathPattern" | "times">
    : never
  : never;

const error = (status: number, code: string, when: "before" | "after" = "before"): BareFault => ({
  fault: "answer",
  status,
  body: { error: code, message: `made up ${code}` },
  when,
});

/** 429 with every kind of `Retry-After` that a server may send. */
const paused = (retryAfter: string, status = 429): BareFault => ({
  fault: "answer",
  status,
  headers: { "retry-after": retryAfter },
  body: { error: "too_many_requests", message: "later" },
});

/** Faults that show at once. */
export const quickFaults: Record<string, BareFault> = {
  "connection cut before the work": { fault: "drop" },
  "answer lost after the work": { fault: "drop", when: "after" },
  "answer lost, work done 5 s later": { fault: "late", delayMs: 5000 },
  "503, work done 5 s later": { fault: "late", delayMs: 5000, answer: { status: 503 } },
  "500 before the work": error(500, "internal_error"),
  "500 after the work": error(500, "internal_error", "after"),
  "503 and Retry-After in seconds": paused("3", 503),
  "503 and Retry-After as a date": paused(new Date(Date.now() + 4000).toUTCString(), 503),
  "429 and Retry-After in seconds": paused("3"),
  "429 and Retry-After in the past": paused("Wed, 21 Oct 2015 07:28:00 GMT"),
  "429 and negative Retry-After": paused("-30"),
  "429 and huge Retry-After": paused("9".repeat(30)),
  "429 and empty Retry-After": paused(""),
  "429 and text in Retry-After": paused("soon"),
  "502 with a page": { fault: "html", status: 502 },
  "404 with a page": { fault: "html", status: 404 },
  "200 with a page before the work": { fault: "html", status: 200 },
  "200 with a page after the work": { fault: "html", status: 200, when: "after" },
  "a body cut in two": { fault: "cut" },
  garbage: { fault: "garbage", when: "after" },
  "an endless body": { fault: "endless" },
  "a gzip bomb": { fault: "bomb" },
  "a redirect on the same host": { fault: "redirect", status: 307 },
  "a redirect to another host": { fault: "redirect", status: 302, location: "http://127.0.0.1:9/frontdoor" },
  "wrong types": { fault: "shape", shape: "wrong types" },
  nulls: { fault: "shape", shape: "nulls" },
  "null for a body": { fault: "shape", shape: "null body" },
  "a list for a body": { fault: "shape", shape: "list" },
  "text for a body": { fault: "shape", shape: "text" },
  "an empty object": { fault: "shape", shape: "empty" },
  "no id": { fault: "shape", shape: "no id" },
  "unknown fields": { fault: "shape", shape: "unknown fields" },
  "an unknown status": { fault: "shape", shape: "unknown status" },
  "an empty answer": { fault: "answer", status: 202, when: "after" },
  "401": error(401, "unauthorized"),
  "403": error(403, "not_found"),
  "400": error(400, "invalid_request"),
  "409": error(409, "conflict"),
};

/** Faults that take real time until the client's own limit for one request ends them. */
export const slowFaults: Record<string, BareFault> = {
  "one byte a second": { fault: "trickle" },
  "an answer too late": { fault: "delay", delayMs: 1_300 },
};

const chosen = (...names: string[]) =>
  Object.fromEntries(Object.entries(quickFaults).filter(([name]) => names.includes(name)));

/** One fault of each kind that the provider tells apart. The walk of tests/prove has the others at each request. */
export const onceFaults = chosen(
  "500 before the work",
  "503 and Retry-After in seconds",
  "404 with a page",
  "200 with a page before the work",
  "200 with a page after the work",
  "a body cut in two",
  "a redirect on the same host",
  "wrong types",
  "no id",
  "an unknown status",
  "an empty answer",
  "401",
  "403",
  "400",
  "409",
);
export const lastingFaults = chosen(
  "connection cut before the work",
  "answer lost after the work",
  "429 and Retry-After in seconds",
  "404 with a page",
  "wrong types",
  "an unknown status",
  "403",
);
