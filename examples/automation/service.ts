// A service that makes and removes sites on request:
//   PUT    /sites/<name>  with a JSON body such as { "peerPublicIp": "203.0.113.7", … }
//   DELETE /sites/<name>
// Each request needs `Authorization: Bearer` with the text of SITES_TOKEN. The service speaks plain HTTP, and only on this machine.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { type Site, siteStack } from "./site";

const token = process.env["SITES_TOKEN"] ?? "";
if (token.length < 32) throw new Error("set SITES_TOKEN to a random text of 32 characters or more");

const hashOf = (text: string) => createHash("sha256").update(text).digest();

/** The token keeps out other programs. The host keeps out a web page whose name leads to this machine. */
function isAllowed({ headers }: IncomingMessage): boolean {
  const isLocal = /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "");
  return isLocal && timingSafeEqual(hashOf(headers.authorization ?? ""), hashOf(`Bearer ${token}`));
}

const queue = new Map<string, Promise<unknown>>();

/** One run at a time for each site; the engine would refuse a second one. */
function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (queue.get(name) ?? Promise.resolve()).then(work, work);
  queue.set(name, turn);
  return turn;
}

async function put(site: Site): Promise<object> {
  const stack = await siteStack(site);
  const { outputs } = await stack.up();
  return Object.fromEntries(Object.entries(outputs).map(([key, { value, secret }]) => [key, secret ? "…" : value]));
}

async function remove(name: string): Promise<object> {
  const stack = await siteStack({ name, peerPublicIp: "", peerCidr: "", locationId: "", envZId: "", shares: {} });
  await stack.destroy({ remove: true });
  return {};
}

async function bodyOf(request: IncomingMessage): Promise<object> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as object;
}

const server = createServer((request, response) => {
  const answer = async () => {
    if (!isAllowed(request)) return { status: 401, body: { error: "no token, or the wrong one" } };
    const name = /^\/sites\/([a-z][a-z0-9-]{0,30})$/.exec(request.url ?? "")?.[1];
    if (name === undefined) return { status: 404, body: { error: "no such path" } };
    if (request.method === "PUT") {
      const site = { ...(await bodyOf(request)), name } as Site;
      return { status: 200, body: await inTurn(name, () => put(site)) };
    }
    if (request.method === "DELETE") return { status: 200, body: await inTurn(name, () => remove(name)) };
    return { status: 405, body: { error: "PUT or DELETE" } };
  };
  void answer()
    .catch((error: unknown) => {
      console.error(error);
      // The engine's whole output stays in this service's log; callers learn only that it failed.
      return { status: 500, body: { error: "the site could not be changed, see the log" } };
    })
    .then(({ status, body }) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
    );
});

server.listen(Number(process.env["PORT"] ?? 8080), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on port ${typeof address === "object" ? address?.port : address}`);
});
