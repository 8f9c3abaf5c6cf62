import type { Checked } from "../../../provider/resources/lifecycle";
import type { ShareSetInputs } from "../../../provider/resources/share-set-inputs";
import type { World } from "../world";

export type Shares = Record<string, object>;
export type Declared = Record<string, unknown> & { shares: Shares };

const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShareSet::services";

/** A set as a program declares it. */
export const declaredOn = (ipsecTunnelId: string, shares: Shares, more: object = {}): Declared => ({
  ipsecTunnelId,
  envZId: "env-1",
  ...more,
  shares,
});

/** A share of it. */
export const port = (ingressPort: number, more: object = {}) => ({
  target: `host-${ingressPort}.internal:443`,
  ingressPort,
  ...more,
});

/** What check says of the set "services". */
export const checkedIn = (world: World, news: Declared, olds: object = {}) =>
  world.sets.check({ news, olds: olds as Record<string, unknown>, origin }) as Checked<ShareSetInputs> & {
    inputs: ShareSetInputs;
  };
