import type { Table } from "./field";
import { rulesOf } from "./rules";
import type { ShareOutputs } from "./types";
import * as values from "./values";
import { hostPortOf } from "./values";

/** Rows of required fields. */
const required = { whenOmitted: "refused", onChange: "update", visible: "always" } as const;

/** The fields of an IPsec share (spec: IPsec share). */
export const shareFields = {
  ipsecTunnelId: {
    ...required,
    is: values.id("the id of an IPsec tunnel"),
    doc: "Id of the tunnel on which the share is published.",
    more: "If you change it, the share moves to that tunnel. If the same edit replaces the old tunnel (delete first), Pulumi replaces the share.",
  },
  envZId: {
    ...required,
    is: values.label("the id of the hosting agent's environment"),
    doc: "Id of the hosting agent's environment.",
    alias: "envId",
  },
  target: {
    ...required,
    is: values.hostPort,
    doc: "Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets.",
    meaning: (text) => JSON.stringify(hostPortOf(text)),
  },
  ingressPort: { ...required, is: values.portNumber, doc: "Listener port on the tunnel's load balancer, 1 to 65535." },
  name: {
    ...required,
    is: values.shareName,
    doc: "Name of the share.",
    more: "1 to 63 letters, digits and hyphens, without a hyphen at either end. Default: derived from project, stack and the resource's name.",
    whenOmitted: "filled in",
  },
  locationId: {
    is: values.label("a location id"),
    doc: "Location of the share.",
    more: "Default: Frontdoor chooses. We assume that it takes the tunnel's location.",
    whenOmitted: "cleared",
    onChange: "update",
    visible: "maybe",
    meaning: values.locationOf,
  },
  frontdoorId: {
    is: values.id("a front door id"),
    doc: "Front door that owns the share.",
    more: "Default: `frontdoor:frontdoorId`.",
    whenOmitted: "filled in",
    onChange: "create first",
    visible: "in state",
  },
  adopt: {
    is: values.id("the id of an existing share"),
    doc: "Id of an existing share that this resource adopts instead of creating a share. The provider updates the share to your arguments.",
    more: "Used only when the resource is created. If you later set another id than the state has, the preview fails.",
    whenOmitted: "unchanged",
    onChange: "ignore",
    visible: "nowhere",
  },
  status: { type: "string", doc: values.statusDoc, visible: "always" },
} satisfies Table;

export type { ShareInputs, ShareOutputs } from "./types";

export const rules = rulesOf<ShareOutputs>(shareFields);
