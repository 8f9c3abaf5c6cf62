import * as z from "zod";
import type { Table } from "./field";
import { shareFields } from "./share";
import * as values from "./values";

const { ipsecTunnelId, frontdoorId, ...own } = shareFields;

/** The fields of each share in a set: the fields of a share without those that only the set has. */
export const setShareFields = {
  ...own,
  envZId: { ...own.envZId, more: "Default: the set's environment.", whenOmitted: "filled in" },
  name: {
    ...own.name,
    more: "1 to 63 letters, digits and hyphens, without a hyphen at either end. Default: derived from project, stack, the set's name and the key.",
  },
  locationId: {
    ...own.locationId,
    more: "Default: the set's location. If the set has none, Frontdoor chooses. We assume that it takes the tunnel's location.",
  },
  adopt: {
    ...own.adopt,
    more: "Used only when the key is new. If you later set another id than the state has, the preview fails.",
  },
  retain: {
    is: z.boolean("must be true or false"),
    doc: "If true, the share stays in Frontdoor when you remove its key.",
    more: "Set `retain`, run `pulumi up`, and then remove the key. In the edit that removes the key, another resource can adopt the share. If you delete the whole set, Pulumi still deletes the share. Default: false.",
    whenOmitted: "unchanged",
    onChange: "update",
    visible: "nowhere",
  },
} satisfies Table;

/** Rows of fields that are defaults for the shares. */
const common = { whenOmitted: "unchanged", visible: "in state" } as const;

/** The fields of a set of IPsec shares. */
export const shareSetFields = {
  ipsecTunnelId: {
    ...ipsecTunnelId,
    doc: "Id of the tunnel on which the shares are published.",
    more: "If you change it, the shares move to that tunnel. If the same edit replaces the old tunnel (delete first), Pulumi replaces the set.",
    visible: "in state",
  },
  shares: {
    is: values.sharesByKey,
    doc: "The shares, by key.",
    more: "At most 5,000. `{}` is a set without shares. If you add a key, Pulumi creates its share. If you change one, Pulumi updates its share. If you remove one, Pulumi deletes its share. To keep the share, first set `retain`.",
    whenOmitted: "refused",
    onChange: "update",
    visible: "in state",
  },
  envZId: {
    ...own.envZId,
    ...common,
    doc: "Id of the hosting agent's environment, for shares without an `envZId` of their own.",
  },
  locationId: { ...own.locationId, ...common, doc: "Location of shares without a `locationId` of their own." },
  nlbDnsName: {
    ...common,
    is: values.label("the DNS name of a load balancer"),
    doc: "DNS name of the tunnel's load balancer. The set needs it for `endpoints`.",
    onChange: "update",
  },
  frontdoorId: { ...frontdoorId, doc: "Front door that owns the shares." },
  ids: { type: "Record<string, string>", doc: "Ids of the shares, by key.", visible: "in state" },
  endpoints: {
    type: "Record<string, string> | undefined",
    doc: "`host:port` at which the remote site reaches each share, by key. Undefined without `nlbDnsName`.",
    visible: "in state",
  },
  status: {
    type: "string",
    doc: "`DEPLOYED` if all shares are `DEPLOYED`. Otherwise the status of the first share that is not.",
    visible: "in state",
  },
} satisfies Table;
