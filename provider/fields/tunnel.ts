import * as z from "zod";
import { type Planned, type Table, UNKNOWN, valueOf } from "./field";
import { rulesOf } from "./rules";
import type { TunnelInputs, TunnelOutputs as ShownTunnel } from "./types";
import * as values from "./values";
import { networkOf } from "./values";

/** Rows of required fields. */
const required = { whenOmitted: "refused", onChange: "delete first", visible: "always" } as const;

/** The fields of an IPsec tunnel (spec: IPsec tunnel). The service has no update, so a change replaces the tunnel. */
export const tunnelFields = {
  peerPublicIp: {
    ...required,
    is: values.peerIpv4,
    doc: "Public IPv4 address of the remote site's IPsec device.",
    more: "For any other address, the provider shows a warning, and Frontdoor decides.",
  },
  peerCidr: {
    ...required,
    is: values.network,
    doc: "The remote site's network, as a network address without host bits, such as `10.20.0.0/16`.",
    meaning: networkOf,
  },
  name: {
    ...required,
    is: values.tunnelName,
    doc: "Name of the tunnel.",
    more: "Default: derived from project, stack and the resource's name.",
    whenOmitted: "filled in",
  },
  locationId: {
    is: values.label("a location id"),
    doc: "Location of the tunnel. According to Frontdoor's specification, a front door can have at most one tunnel at each location.",
    more: "Default: Frontdoor chooses. If you remove this argument later, the tunnel keeps its location.",
    whenOmitted: "unchanged",
    onChange: "create first",
    visible: "maybe",
    meaning: values.locationOf,
  },
  nlbPrivateIp: {
    is: values.privateIpv4,
    doc: "Private IPv4 address of the load balancer.",
    more: "Default: Frontdoor chooses a free one.",
    whenOmitted: "unchanged",
    onChange: "delete first",
    visible: "by get",
  },
  frontdoorId: {
    is: values.id("a front door id"),
    doc: "Front door that owns the tunnel.",
    more: "Default: `frontdoor:frontdoorId`.",
    whenOmitted: "filled in",
    onChange: "create first",
    visible: "in state",
  },
  storeSampleConfig: {
    is: z.boolean("must be true or false"),
    doc: "If true, the encrypted sample configuration, with the pre-shared key, is stored in the state as `sampleConfig`. Default: true.",
    whenOmitted: "unchanged",
    onChange: "update",
    visible: "nowhere",
  },
  adopt: {
    is: values.id("the id of an existing tunnel"),
    doc: "Id of an existing tunnel that this resource adopts instead of creating a tunnel. Your arguments must match the existing tunnel.",
    more: "Used only when the resource is created. If you later set another id than the state has, the preview fails.",
    whenOmitted: "unchanged",
    onChange: "ignore",
    visible: "nowhere",
  },
  rotation: {
    is: values.rotation,
    doc: "A number, or a text of 1 to 255 characters without control characters or white space at either end. If you change it, Pulumi replaces the tunnel, and the new tunnel has a new key and a new address. Frontdoor never gets the value.",
    more: "Removing `rotation` replaces nothing.",
    whenOmitted: "unchanged",
    onChange: "delete first",
    visible: "in state",
    meaning: String,
  },
  status: { type: "string", doc: values.statusDoc, visible: "always" },
  nlbDnsName: {
    type: "string",
    doc: "DNS name of the load balancer, known once the tunnel is DEPLOYED.",
    visible: "by get",
  },
  vpnConnectionId: {
    type: "string",
    doc: "Identifier of the VPN connection, known once the tunnel is DEPLOYED.",
    visible: "by get",
  },
  tunnelConfig: {
    type: "TunnelConfig",
    doc: "Addresses, algorithms and lifetimes of the VPN connection. It has no status, because that changes by itself.",
    visible: "in state",
  },
  sampleConfig: {
    type: "string | undefined",
    doc: "Generated configuration for the remote site. It contains the pre-shared key and is always secret. Undefined with `storeSampleConfig: false`.",
    visible: "in state",
  },
} satisfies Table;

export type { TunnelInputs } from "./types";
export interface TunnelOutputs extends ShownTunnel {
  /** The time at which this provider first saw the tunnel at its failed status, as in `2026-11-28T12:00Z`. */
  readonly __failedSince?: string | undefined;
}

const byTable = rulesOf<TunnelOutputs>(tunnelFields);
const isStoring = (name: string) => name === "storeSampleConfig";

// `__set` has `storeSampleConfig` only if the program gives false. Otherwise the outputs have a sample configuration.
export const rules: typeof byTable = {
  ...byTable,
  setBy: (inputs) => byTable.setBy(inputs).filter((name) => !isStoring(name) || valueOf(inputs, name) === false),
  inputsOf: (outputs) => byTable.inputsOf({ ...outputs, storeSampleConfig: false } as TunnelOutputs),
  knownOutputs(inputs, state) {
    const { sampleConfig = UNKNOWN, ...others } = byTable.knownOutputs(inputs, state);
    const isStored = valueOf(inputs, "storeSampleConfig") !== false;
    const rotation = valueOf(inputs, "rotation") ?? state?.rotation;
    return { ...others, rotation, sampleConfig: isStored ? sampleConfig : undefined } as Planned<TunnelOutputs>;
  },
  blank(frontdoorId) {
    const blank = byTable.blank(frontdoorId);
    return { ...blank, sampleConfig: "", __set: byTable.optional.filter((name) => !isStoring(name)) };
  },
};

/** True if the tunnel has been DEPLOYED: only such a tunnel shows its connection, which stays in the state. */
export const hasWorked = ({ tunnelConfig }: TunnelOutputs): boolean => tunnelConfig !== undefined;

/**
 * Returns the inputs in which the state and the program differ, by the effect of the change. Only an edit replaces the tunnel: an argument
 * that is as the program declared it before (`declared`) has drifted, if the tunnel has worked.
 */
export function changedInputs(state: TunnelOutputs, inputs: Planned<TunnelInputs>, declared: object = {}) {
  const isStored = state.sampleConfig !== undefined;
  const differing = rules.changedFields(state, inputs, "delete first", "create first");
  const replaces = rules
    .changedFields(hasWorked(state) ? { ...state, ...declared } : state, inputs, "delete first", "create first")
    .filter((name) => differing.includes(name));
  return {
    updates: isStored === (inputs.storeSampleConfig !== false) ? [] : ["storeSampleConfig"],
    replaces,
    drifted: differing.filter((name) => !replaces.includes(name)),
    createFirst: rules.changedFields(state, inputs, "create first").filter((name) => replaces.includes(name)),
  };
}

/**
 * True if the program had another `storeSampleConfig` when the state was written. `changedInputs` compares with the sample configuration
 * that the state really has.
 */
export const isStoringChanged = ({ __set }: TunnelOutputs, { storeSampleConfig }: Planned<TunnelInputs>): boolean =>
  __set !== undefined && __set.includes("storeSampleConfig") !== (storeSampleConfig === false);
