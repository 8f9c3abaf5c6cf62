import { randomBytes } from "node:crypto";
import type { Clock } from "./clock";
import type { Settings } from "./settings";

interface Issued {
  expiresAt: number;
  callsLeft: number;
}

/** Tokens that the token endpoint has given out; each ends after its lifetime, or after so many calls. */
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

  /** The front doors that a token opens, undefined when it opens none; this is one of its calls. */
  use(text: string): string[] | undefined {
    const token = this.issued.get(text);
    if (!token || token.callsLeft <= 0 || token.expiresAt <= this.clock.now()) return undefined;
    token.callsLeft -= 1;
    return [this.settings.frontdoorId];
  }

  /** All that were given out are worth nothing from now on. */
  revokeAll(): void {
    this.issued.clear();
  }
}
