import { startEmulator, type Emulator } from "../../emulator";
import type { Settings } from "../../emulator";

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

export const tunnel = { name: "site-a", peerPublicIp: "203.0.113.7", peerCidr: "192.168.10.0/24" };

export const share = (ipsecTunnelId: string) => ({
  name: "billing",
  ipsecTunnelId,
  envZId: "env-1",
  target: "10.1.2.3:8443",
  ingressPort: 443,
});

/** `POST /ipsec-tunnels` and the like, relative to the front door; the body is parsed JSON or text. */
export async function ask(
  { baseUrl, frontdoorId, token }: Emulator,
  request: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const [method = "", path = ""] = request.split(" ");
  const answer = await fetch(`${baseUrl}/v2/${frontdoorId}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: textOrJson(await answer.text()), headers: answer.headers };
}

/** The same on the emulator's own endpoints. */
export async function admin(emulator: Emulator, request: string, body?: unknown, headers = {}) {
  const [method = "", path = ""] = request.split(" ");
  const answer = await fetch(new URL(path, emulator.baseUrl), {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: textOrJson(await answer.text()) };
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

function textOrJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
