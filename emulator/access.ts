import { invalid, noSuchFrontdoor, unauthorized } from "./answers";
import type { Settings } from "./settings";
import type { Tokens } from "./tokens";

/** Checks that the header's token opens the front door (spec: Authentication, Errors). @throws Refusal. */
export function checkAccess(
  { settings, tokens }: { settings: Settings; tokens: Tokens },
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
