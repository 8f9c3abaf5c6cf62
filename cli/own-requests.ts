import { isIP, isIPv6 } from "node:net";
import type { MiddlewareHandler } from "hono";

const isLoopback = (host: string) => host === "localhost" || host === "::1" || host.startsWith("127.");

/**
 * Refuses requests that another web page sends, and on a loopback address also those that name another host: a page can lead a name of
 * its own to this machine. On other addresses any name can be right. The emulator has its own check, because it shares no code with this package.
 */
export function refuseOtherPages(host: string): MiddlewareHandler {
  const own = isIP(host) === 0 ? [host, "127.0.0.1", "[::1]"] : ["localhost", isIPv6(host) ? `[${host}]` : host];
  return async (c, next) => {
    const { hostname, origin } = new URL(c.req.url);
    const from = c.req.header("origin");
    const site = c.req.header("sec-fetch-site");
    const isOwn =
      (from === undefined || from === origin) && (site === undefined || ["same-origin", "none"].includes(site));
    if (!isOwn || (isLoopback(host) && !own.includes(hostname))) return c.text("Not for other pages", 403);
    return next();
  };
}
