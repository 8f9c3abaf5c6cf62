import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { callUrl } from "../contract/target";

export { share, tunnel } from "../contract/fixtures";

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

/** An answer whose body is parsed JSON or text. */
async function sent(request: string, base: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = "", path = ""] = request.split(" ");
  const { status, json, text, headers: answered } = await callUrl(method, `${base}${path}`, body, headers);
  return { status, body: json === undefined ? text : json, headers: answered };
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
