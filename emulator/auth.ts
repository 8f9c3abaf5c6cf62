import { randomBytes } from "node:crypto";
import type { Hono } from "hono";
import type { Clock } from "./clock";
import { invalid, noSuchFrontdoor, Refusal, type Routes, unauthorized } from "./http";
import type { Settings } from "./settings";

/** Checks that the header's token opens the front door (spec: Authentication, Errors). @throws Refusal. */
export function checkAccess(
  { settings, tokens }: Access,
  authorization: string | undefined,
  frontdoorId: string,
): void {
  if (authorization === undefined || authorization === "") throw unauthorized(settings);
  const opened = /^Basic /i.test(authorization)
    ? openedByBasic(settings, authorization)
    : openedByBearer(settings, tokens, authorization);
  if (!opened) {
    throw settings.tokenRejectedStatus === 403 ? noSuchFrontdoor(frontdoorId) : unauthorized(settings);
  }
  const mayEnter = opened.includes("*") || opened.includes(frontdoorId);
  if (!mayEnter || settings.ipsecSharesDisabledFor.includes(frontdoorId)) throw noSuchFrontdoor(frontdoorId);
}

function openedByBearer(settings: Settings, tokens: Tokens, authorization: string): string[] | undefined {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
  if (token === undefined) throw invalid(settings, "Authorization", "Bearer <ACCESS_TOKEN>");
  return Object.hasOwn(settings.tokens, token) ? settings.tokens[token] : tokens.use(token);
}

function openedByBasic(settings: Settings, authorization: string): string[] | undefined {
  const written = /^Basic (\S+)$/i.exec(authorization)?.[1];
  const credential = written === undefined ? undefined : basicCredential(settings, written);
  const [, user = "", token] = /^([^:]*):(.*)$/s.exec(credential ?? "") ?? [];
  if (token === undefined) throw invalid(settings, "Authorization", "Basic <username:token>");
  const known = Object.hasOwn(settings.basicUsers, user) ? settings.basicUsers[user] : undefined;
  return known?.token === token ? known.frontdoorIds : undefined;
}

function basicCredential({ basicForm }: Settings, written: string): string {
  const literal = basicForm === "literal" || (basicForm === "either" && written.includes(":"));
  return literal ? written : Buffer.from(written, "base64").toString();
}

/** What decides who may enter. */
interface Access {
  settings: Settings;
  tokens: Tokens;
}

interface TokenRequest {
  grantType: unknown;
  clientId: unknown;
  clientSecret: unknown;
  audience: unknown;
  scope: unknown;
}

/** The token endpoint: client credentials (RFC 6749, section 4.4) as JSON, or as a form with HTTP Basic. */
export function tokenRoutes(app: Hono<Routes>, { settings, tokens }: Access): void {
  app.post("/oauth/token", async (c) => {
    const type = c.req.header("content-type") ?? "";
    const text = await c.req.text();
    const request = type.startsWith("application/json")
      ? fromJson(text)
      : type.startsWith("application/x-www-form-urlencoded")
        ? fromForm(text, c.req.header("authorization") ?? "")
        : undefined;
    const refuse = (status: 400 | 401, error: string) => c.json({ error }, status);
    const isWrongForm =
      settings.oauthForm !== "either" && type.startsWith("application/json") !== (settings.oauthForm === "json");
    if (!request || isWrongForm) return refuse(400, "invalid_request");
    if (request.clientId !== settings.oauthClientId || request.clientSecret !== settings.oauthClientSecret) {
      return refuse(401, "invalid_client");
    }
    if (request.grantType !== "client_credentials") return refuse(400, "unsupported_grant_type");
    if (settings.oauthAudience !== null && request.audience !== settings.oauthAudience) {
      return refuse(400, "invalid_target");
    }
    if (settings.oauthScope !== null && request.scope !== settings.oauthScope) return refuse(400, "invalid_scope");
    c.header("cache-control", "no-store");
    return c.json({
      access_token: tokens.issue(),
      token_type: "Bearer",
      expires_in: settings.oauthLifetimeSeconds,
    });
  });
}

function fromJson(text: string): TokenRequest | undefined {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    return {
      grantType: body["grant_type"],
      clientId: body["client_id"],
      clientSecret: body["client_secret"],
      audience: body["audience"],
      scope: body["scope"],
    };
  } catch {
    return undefined;
  }
}

/** Id and secret are form-encoded before they are put together (RFC 6749, section 2.3.1). */
function fromForm(text: string, authorization: string): TokenRequest | undefined {
  const [, pair = ""] = /^Basic (\S+)$/i.exec(authorization) ?? [];
  const [, clientId = "", clientSecret = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(pair, "base64").toString()) ?? [];
  const form = new URLSearchParams(text);
  const decoded = (part: string) => new URLSearchParams(`part=${part}`).get("part");
  return {
    grantType: form.get("grant_type"),
    clientId: decoded(clientId),
    clientSecret: decoded(clientSecret),
    audience: form.get("audience"),
    scope: form.get("scope"),
  };
}

/** The calls outside the specification by which a client finds its organization, front doors and environments. */
export function idRoutes(app: Hono<Routes>, access: Access): void {
  const { settings } = access;
  const page = (content: object[]) => ({
    ...{ content, pageable: { pageNumber: 0, pageSize: 20 } },
    ...{ totalElements: content.length, totalPages: content.length === 0 ? 0 : 1 },
  });
  const frontdoors = () => [{ id: settings.frontdoorId, name: "emulator", organizationId: settings.organizationId }];
  const enter = (authorization: string | undefined) => {
    checkAccess(access, authorization, settings.frontdoorId);
    if (settings.organizationId === null) throw new Refusal(403, "forbidden", "This token has no organization");
  };

  app.get("/identity/v1/identities/self", (c) => {
    enter(c.req.header("authorization"));
    return c.json({ id: "emulator", organizationId: settings.organizationId });
  });
  app.get("/frontdoor", (c) => {
    enter(c.req.header("authorization"));
    return c.json(c.req.query("organizationId") === settings.organizationId ? frontdoors() : []);
  });
  app.get("/frontdoor/v2", (c) => {
    enter(c.req.header("authorization"));
    return c.json(page(frontdoors()));
  });
  app.get("/frontdoor/:frontdoorId/environments", (c) => {
    checkAccess(access, c.req.header("authorization"), c.req.param("frontdoorId"));
    const entries = Object.entries(settings.environments);
    return c.json(page(entries.map(([zId, name]) => ({ id: `environment-of-${zId}`, zId, name, status: "DEPLOYED" }))));
  });
}

interface Issued {
  expiresAt: number;
  callsLeft: number;
}

/** The tokens of the token endpoint. Each ends after its lifetime, or after a number of calls. */
export class Tokens {
  private readonly issued = new Map<string, Issued>();

  constructor(
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  issue(): string {
    const text = `issued-${randomBytes(18).toString("base64url")}`;
    const { oauthLifetimeSeconds, oauthTokenCalls } = this.settings;
    this.issued.set(text, {
      expiresAt: this.clock.now() + oauthLifetimeSeconds * 1000,
      callsLeft: oauthTokenCalls ?? Infinity,
    });
    return text;
  }

  /** Returns the front doors that a token opens; undefined for an invalid token. It counts as a call. */
  use(text: string): string[] | undefined {
    const token = this.issued.get(text);
    if (!token || token.callsLeft <= 0 || token.expiresAt <= this.clock.now()) return undefined;
    token.callsLeft -= 1;
    return [this.settings.frontdoorId];
  }

  /** Revokes all tokens. */
  revokeAll(): void {
    this.issued.clear();
  }
}
