import { startEmulator, type Emulator } from "../../emulator";

/** The server that is held to the spec. */
export interface Target {
  baseUrl: string;
  frontdoorId: string;
  token: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Parsed JSON, undefined if the text is none. */
  json: unknown;
}

const start = Date.UTC(2030, 0, 1);

let emulator: Emulator | undefined;

/** For each test of the file a fresh emulator whose clock stands still. */
export function useTarget(): void {
  beforeEach(async () => {
    emulator = await startEmulator({ frozenAtMs: start, provisionMs: 1000, teardownMs: 1000 });
  });
  afterEach(async () => {
    await emulator?.close();
    emulator = undefined;
  });
}

/** Cases that write, wait or need a clock. */
export function ownServerOnly(cases: () => void): void {
  cases();
}

export function target(): Target {
  if (!emulator) throw new Error("useTarget() belongs at the top of the file");
  return emulator;
}

/** Time for everything under way to end. */
export function settle(): void {
  emulator?.clock.advance(1000);
}

/** The next provisioning ends in ERROR. */
export function failNext(kind: "tunnel" | "share"): void {
  emulator?.faults.failNext({ kind, op: "create" });
}

/** Sends a request such as `GET /ipsec-tunnels`, relative to the front door. A header set to "" is not sent. */
export function call(request: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const [method = "", path = ""] = request.split(" ");
  const { baseUrl, frontdoorId, token } = target();
  return callUrl(method, `${baseUrl}/v2/${frontdoorId}${path}`, body, { authorization: `Bearer ${token}`, ...headers });
}

/** Sends a request whose answer has to have this status, and what is named of its JSON. */
export async function answers(
  [request, body, headers]: Parameters<typeof call>,
  status: number,
  json: unknown = expect.anything(),
): Promise<Answer> {
  const answer = await call(request, body, headers);
  expect({ request, status: answer.status, json: answer.json }).toMatchObject({ request, status, json });
  return answer;
}

export async function callUrl(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = { accept: "application/json", "content-type": "application/json", ...headers };
  const answer = await fetch(url, {
    method,
    headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== "")),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
