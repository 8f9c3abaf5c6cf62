import { randomBytes } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";

const loopback = ["127.0.0.1", "localhost"];

/** 256 bits that nobody guesses, and that need no escaping anywhere. */
const secret = () => randomBytes(32).toString("base64url");

/** Lets in the one browser that opens the one-time address, and no page but the dashboard's own. */
export class Doorkeeper {
  /** The path of the address that opens the dashboard, once. */
  readonly path = `/open/${secret()}`;
  private readonly session = secret();
  private isOpened = false;

  /** Refuses names that only point to this machine, requests of other pages, and whatever would write. */
  readonly checkOrigin: MiddlewareHandler = async (c, next) => {
    const { hostname, origin } = new URL(c.req.url);
    const from = c.req.header("origin");
    const site = c.req.header("sec-fetch-site");
    const isOwn =
      (from === undefined || from === origin) && (site === undefined || ["same-origin", "none"].includes(site));
    if (!loopback.includes(hostname) || !isOwn) return c.text("Not for other pages", 403);
    if (c.req.method !== "GET") return c.text("The dashboard only reads", 405, { allow: "GET" });
    return next();
  };

  /** Refuses whoever has not opened the one-time address. */
  readonly checkSession: MiddlewareHandler = async (c, next) => {
    if (!this.isKnown(c)) return c.text(notOpened, 401);
    return next();
  };

  /** Takes the one-time address for a cookie. */
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

/** A browser keeps cookies of one host together, whatever the port. */
const cookieOf = (c: Context) => `frontdoor-${new URL(c.req.url).port}`;

const notOpened =
  'Open the address that "frontdoor dashboard" has printed: it lets one browser in, once. For another browser run the command again.\n';
