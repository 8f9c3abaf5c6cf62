import { ownToken } from "../harness/plugin";
import { type Resources, Stack } from "../harness/stack";

// What the programs of these tests are made of: a tunnel and a share on it, and a site with one share.
export const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
export const web = { envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
export const branch = { peerPublicIp: "203.0.113.9", peerCidr: "10.30.0.0/16", locationId: "loc-2", envZId: "env-1" };
export const mail = { target: "mail.internal:25", ingressPort: 25 };

export const on = (tunnel: string) => ({ ...web, ipsecTunnelId: { tunnel } });

/** All four as the state names them. */
export const names = ["hq", "web", "branch", "branch-mail"] as const;

/** Types that a URN begins with: of what is in a site, in a component, or on a tunnel. */
export const inSite = "frontdoor:index:IpsecSite$";
export const inGroup = "test:index:Group$";
export const onTunnel = `${ownToken("IpsecTunnel")}$`;

export const urn = (type: "IpsecTunnel" | "IpsecShare", name: string, within = "") =>
  `urn:pulumi:test::engine::${within}${ownToken(type)}::${name}`;

/** A stack of its own, up with this; its log is empty. */
export async function openUp(resources: Resources): Promise<Stack> {
  const stack = await Stack.open();
  expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
  stack.writes();
  return stack;
}
