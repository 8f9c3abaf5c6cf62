import { UNKNOWN } from "../../fields/field";
import { shareFields } from "../../fields/share";
import type { Service } from "../../service";
import { checkedBy } from "../check";
import { imported } from "../import";
import type { Checked, Declaration, Lifecycle } from "../lifecycle";
import { reportSpellings } from "../notes";
import { createShare } from "./create";
import { deleteShare } from "./delete";
import { diffShare } from "./diff";
import { rules, type ShareInputs, type ShareOutputs } from "./inputs";
import { knownOutputs } from "./location";
import { shareLabel } from "./outputs";
import { previewShare } from "./preview";
import { readShare } from "./read";
import { takenPorts } from "./taken-port";
import { updateShare } from "./update";

/** Seconds (contract: Resources). */
export const shareTimeouts = { create: 900, update: 900, delete: 900 };

/** Checks one share of the program. It sends nothing. */
export const checkShare = (service: Service, declared: Declaration): Checked<ShareInputs> =>
  checkedBy(
    shareFields,
    "IpsecShare",
    declared,
    service,
    ({ shares }) => shares,
    ({ ipsecTunnelId }) => ipsecTunnelId === UNKNOWN,
  );

/** Shares of one service (spec: Shares). */
export const shareLifecycle = (service: Service): Lifecycle<ShareInputs, ShareOutputs> => ({
  timeoutsOf: () => shareTimeouts,
  check: (declared) => checkShare(service, declared),
  diff: (...of) => diffShare(service, ...of),
  preview: (...of) => previewShare(service, ...of),
  knownOutputs,
  refuseTaken: takenPorts(service),
  async create(inputs, isNameDerived, until) {
    const made = await createShare(service, inputs, isNameDerived, until);
    reportSpellings(service, shareLabel(inputs.name, made.id), made.outputs.__shown);
    return made;
  },
  imported: (id) => imported(service, rules, "IPsec share", id),
  read: (...of) => readShare(service, ...of),
  async update(id, olds, news, until) {
    const made = await updateShare(service, id, olds, news, until);
    reportSpellings(service, shareLabel(news.name, id), made.outputs.__shown, olds.__shown);
    return made;
  },
  inputsOf: (outputs) => rules.inputsOf(outputs),
  delete: (...of) => deleteShare(service, ...of),
});
