import { randomBytes } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";

/** Returns 256 random bits as text that needs no escaping. */
const secret = () => randomBytes(32).toString("base64url");

/** Lets in only the browser that opens the one-time address, and only the dashboard's own page. */
export class Doorkeeper {
  /** The path of the address that opens the dashboard, once. */
  readonly path = `/open/${secret()}`;
  private readonly session = secret();
  private isOpened = false;

  /** Refuses every method except GET. */
  readonly checkMethod: MiddlewareHandler = async (c, next) => {
    if (c.req.method !== "GET") return c.text("The dashboard only reads", 405, { allow: "GET" });
    return next();
  };

  /** Refuses a browser that has not opened the one-time address. */
  readonly checkSession: MiddlewareHandler = async (c, next) => {
    if (!this.isKnown(c)) return c.text(notOpened, 401);
    return next();
  };

  /** Exchanges the one-time address for a cookie. */
  open(c: Context): Response {
    if (this.isKnown(c)) return c.redirect("/", 303);
    if (this.isOpened || c.req.path !== this.path) return c.text(notOpened, 401);
    this.isOpened = true;
    setCookie(c, cookieOf(c), this.session, { httpOnly: true, sameSite: "Strict", path: "/" });
    return c.redirect("/", 303);
  }

  private isKnown(c: Context): boolean {
    return getCookie(c, cookieOf(c)) === this.session;
  }
}

/** Returns the name of the cookie. It holds the port, because a browser shares cookies among all ports of a host. */
const cookieOf = (c: Context) => `frontdoor-${new URL(c.req.url).port}`;

const notOpened =
  'Open the address that "frontdoor dashboard" has printed: it lets one browser in, once. For another browser run the command again.\n';
