import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Misuse } from "./outcome";

/** Where a server listens, and the option that names it. */
interface Endpoint {
  host: string;
  port: number;
  option: string;
}

/** Serves until `stop`, and returns the port: any free one for port 0. @throws Misuse if the port is in use. */
export async function serveOn(
  fetch: Parameters<typeof serve>[0]["fetch"],
  { host, port, option }: Endpoint,
): Promise<{ port: number; stop: () => void }> {
  const server = serve({ fetch, hostname: host, port });
  await once(server, "listening").catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Misuse(
      `the command can't use port ${port} of ${host} (${code}). Choose another ${option}. [port-not-free]`,
    );
  });
  const stop = () => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}
