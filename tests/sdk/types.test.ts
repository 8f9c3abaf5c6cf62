import type * as pulumi from "@pulumi/pulumi";
import type {
  GetTunnelArgs,
  GetTunnelOutputArgs,
  GetTunnelResult,
  IpsecShareArgs,
  IpsecShareSetArgs,
  IpsecTunnelArgs,
  OneArgs,
  SetShareArgs,
  SiteShareArgs,
  TunnelResult,
} from "../../sdk";
import type * as plugin from "../../sdk/plugin";

const share = { ipsecTunnelId: "tnl-1", target: "web.internal:443", ingressPort: 443 };
const part = { target: "web.internal:443", ingressPort: 443 };
declare const env: pulumi.Output<string>;
declare const perhaps: string | undefined;

/** Compiled, and never called. */
export function environments(): object[] {
  const shares: IpsecShareArgs[] = [
    { ...share, envZId: env },
    { ...share, envId: Promise.resolve("env-1") },
    // @ts-expect-error: one of the two is required
    { ...share },
    // @ts-expect-error: it must be a value
    { ...share, envZId: perhaps },
    // @ts-expect-error: not both
    { ...share, envZId: "env-1", envId: "env-1" },
    // @ts-expect-error: a misspelt name
    { ...share, envZId: "env-1", tagret: "web.internal:443" },
  ];
  const parts: (SetShareArgs & SiteShareArgs)[] = [
    part,
    { ...part, envZId: perhaps },
    { ...part, envId: env, retain: true },
    // @ts-expect-error: not both
    { ...part, envZId: "env-1", envId: "env-1" },
  ];
  const sets: IpsecShareSetArgs[] = [
    { ipsecTunnelId: "tnl-1", shares: {} },
    { ipsecTunnelId: "tnl-1", envId: "env-1", shares: { web: { ...part, envZId: "env-2" } } },
    // @ts-expect-error: not both
    { ipsecTunnelId: "tnl-1", envZId: "env-1", envId: "env-1", shares: {} },
  ];
  const tunnel: IpsecTunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  // @ts-expect-error: arguments are not changed after they are given
  tunnel.name = "hq";
  return [...shares, ...parts, ...sets];
}

/** True if the two types are the same. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

it("the types of functions have the names that Pulumi's SDKs give them, with both imports", () => {
  const same: [
    Same<GetTunnelArgs, OneArgs>,
    Same<GetTunnelResult, TunnelResult>,
    Same<plugin.GetTunnelArgs, OneArgs>,
    Same<plugin.GetTunnelOutputArgs, GetTunnelOutputArgs>,
    Same<plugin.IpsecTunnelArgs, IpsecTunnelArgs>,
  ] = [true, true, true, true, true];
  expect(same).not.toContain(false);
});
