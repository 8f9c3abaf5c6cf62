import { tunnelFields } from "../../fields/tunnel";
import type { Service } from "../../service";
import { checkedBy } from "../check";
import { imported } from "../import";
import type { Lifecycle } from "../lifecycle";
import { reportSpellings } from "../notes";
import { createTunnel } from "./create";
import { deleteTunnel } from "./delete";
import { diffTunnel } from "./diff";
import { rules, type TunnelInputs, type TunnelOutputs } from "./inputs";
import { tunnelLabel } from "./outputs";
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
  async create(inputs, isNameDerived, until) {
    const made = await createTunnel(service, inputs, isNameDerived, until);
    reportSpellings(service, tunnelLabel(inputs.name, made.id), made.outputs.__shown);
    return made;
  },
  imported: (id) => imported(service, rules, "IPsec tunnel", id),
  read: (...of) => readTunnel(service, ...of),
  async update(id, olds, news, until) {
    const made = await updateTunnel(service, id, olds, news, until);
    reportSpellings(service, tunnelLabel(news.name, id), made.outputs.__shown, olds.__shown);
    return made;
  },
  inputsOf: (outputs) => rules.inputsOf(outputs),
  delete: (...of) => deleteTunnel(service, ...of),
});
