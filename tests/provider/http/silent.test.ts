import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { openPool } from "../../../provider/http/send";

/** Accepts connections and reads what comes, and never answers. */
const silent = createServer((socket) => {
  sockets.push(socket);
  socket.on("error", () => undefined).on("data", (data) => heard.push(data));
});
const sockets: Socket[] = [];
const heard: Buffer[] = [];
let at: string;

beforeAll(async () => {
  await once(silent.listen(0, "127.0.0.1"), "listening");
  at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => {
  silent.close();
});
beforeEach(() => {
  const others = Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name));
  jest.replaceProperty(process, "env", Object.fromEntries(others));
  sockets.length = 0;
  heard.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const socket of sockets) socket.destroy();
});

/** What becomes of a request over TLS, by such a proxy. */
async function asked(proxy: string | undefined, url: string, timeoutMs: number) {
  if (proxy !== undefined) process.env["HTTPS_PROXY"] = proxy;
  const { send, close } = openPool(timeoutMs);
  const answer = send({ method: "GET", url, headers: {}, timeoutMs, label: "GET /x" });
  await answer.catch(() => undefined);
  return { answer, close };
}

describe("a request ends within its timeout", () => {
  it.each([
    ["a proxy that never answers CONNECT", () => `http://${at}`, () => "https://gateway.example.com/x"],
    ["a proxy that is silent in its own TLS", () => `https://${at}`, () => "https://gateway.example.com/x"],
    ["a server that is silent in its TLS", () => undefined, () => `https://${at}/x`],
    ["a server that answers nothing", () => undefined, () => `http://${at}/x`],
  ])(
    "with %s, and its connection does, too",
    async (_what, proxy, url) => {
      // A busy machine may end a short request before it is sent.
      for (const timeoutMs of [300, 3_000, 30_000]) {
        const { answer, close } = await asked(proxy(), url(), timeoutMs);
        await expect(answer).rejects.toThrow(/^GET \/x: no answer within \d+ s/);
        await Promise.all([close(), ...sockets.map((socket) => socket.closed || once(socket, "close"))]);
        if (heard.length > 0) break;
      }
      expect(heard).not.toEqual([]);
    },
    60_000,
  );
});
