import { randomBytes } from "node:crypto";
import type { Clock } from "./clock";
import type { Settings } from "./settings";

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
