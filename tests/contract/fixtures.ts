import { call, settle } from "./target";

export const tunnel = { name: "site-a", peerPublicIp: "203.0.113.7", peerCidr: "192.168.10.0/24" };

/** A valid body for a share on that tunnel; tests bend one field. */
export const share = (ipsecTunnelId: string) => ({
  name: "billing",
  ipsecTunnelId,
  envZId: "Ab.3xYz9",
  target: "10.1.2.3:8443",
  ingressPort: 443,
});

/** The body of the spec's 400. */
export const mustBeOf = (property: string, type?: string) => ({
  error: "invalid_request",
  message: expect.stringMatching(
    new RegExp(`^Value for \`${property}\` must be of \`${type ?? ".+"}\`$`),
  ) as unknown as string,
});

/** Makes it and lets it settle; gives its id. */
export async function deployedTunnel(fields: object = {}): Promise<string> {
  const id = idOf(await call("POST /ipsec-tunnels", { ...tunnel, ...fields }));
  settle();
  return id;
}

/** Makes it and lets it settle; gives its id. */
export async function deployedShare(ipsecTunnelId: string, fields: object = {}): Promise<string> {
  const id = idOf(await call("POST /ipsec-shares", { ...share(ipsecTunnelId), ...fields }));
  settle();
  return id;
}

export function idOf({ status, json, text }: { status: number; json: unknown; text: string }): string {
  if (status !== 202) throw new Error(`${status} ${text}`);
  return (json as { id: string }).id;
}

export const statusOf = async (path: string) => ((await call(`GET ${path}`)).json as { status: string }).status;

/** The spec's answer to an id that nobody has. */
export const anyError = { error: expect.any(String) as unknown, message: expect.any(String) as unknown };

/** Names on a page of a list. */
export const namesOf = ({ json }: { json: unknown }) =>
  (json as { content: { name: string }[] }).content.map(({ name }) => name);
