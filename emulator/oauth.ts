import type { Hono } from "hono";
import type { Routes } from "./routing";
import type { Settings } from "./settings";
import type { Tokens } from "./tokens";

interface Asked {
  grantType: unknown;
  clientId: unknown;
  clientSecret: unknown;
  audience: unknown;
  scope: unknown;
}

/** The token endpoint: client credentials (RFC 6749, section 4.4) as JSON, or as a form with HTTP Basic. */
export function tokenRoutes(app: Hono<Routes>, settings: Settings, tokens: Tokens): void {
  app.post("/oauth/token", async (c) => {
    const type = c.req.header("content-type") ?? "";
    const text = await c.req.text();
    const asked = type.startsWith("application/json")
      ? fromJson(text)
      : type.startsWith("application/x-www-form-urlencoded")
        ? fromForm(text, c.req.header("authorization") ?? "")
        : undefined;
    const refuse = (status: 400 | 401, error: string) => c.json({ error }, status);
    const isWrongForm =
      settings.oauthForm !== "either" && type.startsWith("application/json") !== (settings.oauthForm === "json");
    if (!asked || isWrongForm) return refuse(400, "invalid_request");
    if (asked.clientId !== settings.oauthClientId || asked.clientSecret !== settings.oauthClientSecret) {
      return refuse(401, "invalid_client");
    }
    if (asked.grantType !== "client_credentials") return refuse(400, "unsupported_grant_type");
    if (settings.oauthAudience !== null && asked.audience !== settings.oauthAudience) {
      return refuse(400, "invalid_target");
    }
    if (settings.oauthScope !== null && asked.scope !== settings.oauthScope) return refuse(400, "invalid_scope");
    c.header("cache-control", "no-store");
    return c.json({
      access_token: tokens.issue(),
      token_type: "Bearer",
      expires_in: settings.oauthLifetimeSeconds,
    });
  });
}

function fromJson(text: string): Asked | undefined {
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
function fromForm(text: string, authorization: string): Asked | undefined {
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
