import type { Resources } from "../harness/stack";
import { Secret } from "../model/adapter";
import { type CustomTimeouts, type Kind, type Registration, typeTokens } from "../model/program";

type Args = Record<string, unknown>;

interface Options {
  aliases?: { name: string }[];
  customTimeouts?: CustomTimeouts;
}

const stack = "urn:pulumi:test::engine::";
const inSite = "frontdoor:index:IpsecSite$";

const has = <Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> =>
  typeof value === "object" && value !== null && key in value;

function registration(kind: Kind, slot: string, { opts = {}, ...args }: Args, parents = ""): Registration {
  const urn = (name: string) => `${stack}${parents}${typeTokens[kind]}::${name}`;
  const { aliases = [], customTimeouts } = opts as Options;
  const tunnel = Object.values(args).find((value) => has(value, "tunnel"))?.tunnel;
  const given = Object.entries(args).filter(([, value]) => value !== undefined && !has(value, "tunnel"));
  return {
    ...{ slot, kind, urn: urn(slot), aliases: aliases.map(({ name }) => urn(name)) },
    args: Object.fromEntries(
      given.map(([key, value]) => [key, has(value, "secret") ? new Secret(value.secret) : value]),
    ),
    ...(typeof tunnel === "string" && { on: tunnel }),
    ...(customTimeouts && { timeouts: customTimeouts }),
  };
}

/** A site as sdk/any-site.ts makes it. */
function ofSite(name: string, { shares = {}, envZId, opts, ...tunnel }: Args): Registration[] {
  const services = Object.entries(shares as Record<string, Args>).map(([share, args]) =>
    registration("shares", `${name}-${share}`, { envZId, ...args, ipsecTunnelId: { tunnel: name }, opts }, inSite),
  );
  return [registration("tunnels", name, { ...tunnel, opts }, inSite), ...services];
}

/** What a program registers with the engine, as tests/harness/program.js does. */
export function registrationsOf({
  tunnels = {},
  shares = {},
  sites = {},
  sets = {},
  connections = {},
}: Resources): Registration[] {
  return [
    ...Object.entries(tunnels).map(([name, args]) => registration("tunnels", name, args)),
    ...Object.entries(shares).map(([name, args]) => registration("shares", name, args)),
    ...Object.entries(sites).flatMap(([name, args]) => ofSite(name, args)),
    ...Object.entries(sets).map(([name, args]) => registration("sets", name, args)),
    ...Object.entries(connections).map(([name, args]) => registration("connections", name, args)),
  ];
}
