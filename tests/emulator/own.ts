import { type Emulator, type Settings, startEmulator } from "../../emulator";

export const tunnel = { name: "site-a", peerPublicIp: "203.0.113.7", peerCidr: "192.168.10.0/24" };

/** A valid body for a share on that tunnel. Tests change one field. */
export const share = (ipsecTunnelId: string) => ({
  name: "billing",
  ipsecTunnelId,
  envZId: "Ab.3xYz9",
  target: "10.1.2.3:8443",
  ingressPort: 443,
});

/** Where the frozen clock of every test here begins. */
export const start = Date.UTC(2030, 0, 1);

const running: Emulator[] = [];

/** An emulator with a clock that stands still, second-long work, and its end at the end of the test. */
export async function own(settings: Partial<Settings> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ frozenAtMs: start, provisionMs: 1000, teardownMs: 1000, ...settings });
  running.push(emulator);
  return emulator;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Sends a request. The answer's body is parsed JSON or text. A header "" is not sent. */
async function sent(request: string, base: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = "", path = ""] = request.split(" ");
  const all = { ...(body !== undefined && { "content-type": "application/json" }), ...headers };
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: parsed(text), headers: answer.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** `POST /ipsec-tunnels` and the like, relative to the front door. */
export const ask = (
  { baseUrl, frontdoorId, token }: Emulator,
  request: string,
  body?: unknown,
  headers: Record<string, string> = {},
) => sent(request, `${baseUrl}/v2/${frontdoorId}`, body, { authorization: `Bearer ${token}`, ...headers });

/** The same on the emulator's own endpoints. */
export async function admin(emulator: Emulator, request: string, asked?: unknown, headers = {}) {
  const { status, body } = await sent(request, new URL(emulator.baseUrl).origin, asked, headers);
  return { status, body };
}

/** The HTTP status of a request. */
export const statusOf = async (...args: Parameters<typeof ask>): Promise<number> => (await ask(...args)).status;

/** The HTTP statuses of one request that is sent several times. */
export async function statuses(emulator: Emulator, request: string, times: number): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < times; n++) found.push(await statusOf(emulator, request));
  return found;
}

/** Status in the answer's body, or the HTTP status if it has none. */
export async function seen(emulator: Emulator, path: string): Promise<unknown> {
  const { status, body } = await ask(emulator, `GET ${path}`);
  return (body as { status?: unknown }).status ?? status;
}
