import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { start } from "../../harness/command";
import { installed, type Place } from "../command";

/** An HTTP server that receives alerts. `status` is its answer. */
export async function startReceiver() {
  const bodies: { event: string; resourceId: string; id: string }[] = [];
  const receiver = { status: 200, bodies, url: "", close: () => server.close() };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      if (receiver.status === 200) bodies.push(JSON.parse(text) as (typeof bodies)[number]);
      response.writeHead(receiver.status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`;
  return receiver;
}

/** Asks with any headers, as `fetch` does not let a program name the host. */
export async function ask(url: string, headers: Record<string, string>): Promise<{ status: number }> {
  const [answer] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode ?? 0 };
}

/** Waits until a condition holds. @throws Error after a minute. */
export async function until(holds: () => boolean | Promise<boolean>, what = "the condition"): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} does not hold after a minute`);
}

/** `frontdoor watch` as a service: the address of its metrics, and its end. */
export async function startWatch(place: Place, args: string[], env: Record<string, string> = {}, address = "0") {
  const all = [installed, "watch", "--serve", address, ...args];
  const { pid, said, end } = start(process.execPath, all, place.where(env));
  let isEnded = false;
  void end.then(() => (isEnded = true));
  await until(() => isEnded || said.stderr.includes("/metrics\n"), "the start of the metrics");
  const [url] = /http:\S+\/metrics/.exec(said.stderr) ?? [];
  if (url === undefined) throw new Error(said.text);
  return {
    url,
    said,
    pid,
    end,
    scrape: async () => (await fetch(url)).text(),
    stop: () => {
      process.kill(pid, "SIGTERM");
      return end;
    },
  };
}
