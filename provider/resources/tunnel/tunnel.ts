import { tunnelFields } from "../../fields/tunnel";
import type { Service } from "../../service";
import { checkedBy } from "../check";
import { imported } from "../import";
import type { Lifecycle } from "../lifecycle";
import { createTunnel } from "./create";
import { deleteTunnel } from "./delete";
import { diffTunnel } from "./diff";
import { rules, type TunnelInputs, type TunnelOutputs } from "./inputs";
import { previewTunnel } from "./preview";
import { refuseTakenLocation } from "./location";
import { readTunnel } from "./read";
import { updateTunnel } from "./update";

/** Seconds (contract: Resources). */
const timeouts = { create: 3600, update: 3600, delete: 3600 };

/** Tunnels of one service (spec: Tunnels). */
export const tunnelLifecycle = (service: Service): Lifecycle<TunnelInputs, TunnelOutputs> => ({
  timeoutsOf: () => timeouts,
  check: (declared) => checkedBy(tunnelFields, "IpsecTunnel", declared, service, ({ tunnels }) => tunnels),
  diff: (...of) => diffTunnel(service, ...of),
  preview: (_id, _olds, _news, diff) => Promise.resolve(previewTunnel(diff)),
  knownOutputs: (inputs, olds) => rules.knownOutputs(inputs, olds),
  refuseTaken: (...of) => refuseTakenLocation(service, ...of),
  create: (...of) => createTunnel(service, ...of),
  imported: (id) => imported(service, rules, "IPsec tunnel", id),
  read: (...of) => readTunnel(service, ...of),
  update: (...of) => updateTunnel(service, ...of),
  inputsOf: (outputs) => rules.inputsOf(outputs),
  delete: (...of) => deleteTunnel(service, ...of),
});
