import { once } from "node:events";
import { type AddressInfo, isIP, isIPv6 } from "node:net";
import { serve } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
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

const isLoopback = (host: string) => host === "localhost" || host === "::1" || host.startsWith("127.");

/**
 * Refuses requests that another web page sends, and on a loopback address also those that name another host: a page can lead a name of
 * its own to this machine. On other addresses any name can be right. The emulator has its own check, because it shares no code with this package.
 */
export function refuseOtherPages(host: string): MiddlewareHandler {
  const ownNames = isIP(host) === 0 ? [host, "127.0.0.1", "[::1]"] : ["localhost", isIPv6(host) ? `[${host}]` : host];
  return async (c, next) => {
    const { hostname, origin } = new URL(c.req.url);
    const from = c.req.header("origin");
    const site = c.req.header("sec-fetch-site");
    const isOwn =
      (from === undefined || from === origin) && (site === undefined || ["same-origin", "none"].includes(site));
    if (!isOwn || (isLoopback(host) && !ownNames.includes(hostname))) return c.text("Not for other pages", 403);
    return next();
  };
}
