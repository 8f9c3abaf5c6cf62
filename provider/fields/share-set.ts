import * as z from "zod";
import type { Table } from "./field";
import { shareFields } from "./share";
import * as values from "./values";

const { ipsecTunnelId, frontdoorId, ...own } = shareFields;

/** The fields of each share in a set: the fields of a share without those that only the set has. */
export const setShareFields = {
  ...own,
  envZId: { ...own.envZId, more: "Default: the set's.", whenOmitted: "filled in" },
  name: {
    ...own.name,
    more: "1 to 63 letters, digits and hyphens, no leading or trailing hyphen. Default: derived from project, stack, the set's name and the key.",
  },
  locationId: { ...own.locationId, more: "Default: the set's; without one the service decides." },
  adopt: { ...own.adopt, more: "Used only when the key is new." },
  retain: {
    is: z.boolean("must be true or false"),
    doc: "Keeps the share at the service when its key is removed, so that another resource can adopt it in the same edit.",
    more: "Set it one `pulumi up` before you remove the key. Deleting the whole set still deletes the share. Default: false.",
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
    doc: "Id of the tunnel the shares are published on.",
    more: "A new id moves the shares. The set is replaced only if its tunnel is deleted before the new one exists.",
    visible: "in state",
  },
  shares: {
    is: values.sharesByKey,
    doc: "The shares by key.",
    more: "1 to 5,000. An added key is created and a changed one updated. A removed one is deleted, unless `retain` was set in the previous `up`.",
    whenOmitted: "refused",
    onChange: "update",
    visible: "in state",
  },
  envZId: { ...own.envZId, ...common, doc: "Environment of the hosting agent for shares that name none." },
  locationId: { ...own.locationId, ...common, doc: "Location for shares that name none." },
  nlbDnsName: {
    ...common,
    is: values.label("the DNS name of a load balancer"),
    doc: "DNS name of the tunnel's load balancer: with it the set has `endpoints`.",
    onChange: "update",
  },
  frontdoorId: { ...frontdoorId, doc: "Front door that owns the shares." },
  ids: { type: "Record<string, string>", doc: "Ids of the shares by key.", visible: "in state" },
  endpoints: {
    type: "Record<string, string> | undefined",
    doc: "`host:port` by key, as the remote site reaches the shares; where `nlbDnsName` is given.",
    visible: "in state",
  },
  status: {
    type: "string",
    doc: "`DEPLOYED` once all shares are; else the status of the first one that is not.",
    visible: "in state",
  },
} satisfies Table;
