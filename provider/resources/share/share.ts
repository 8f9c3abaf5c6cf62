import { UNKNOWN } from "../../fields/field";
import { shareFields } from "../../fields/share";
import type { Service } from "../../service";
import { checkedBy } from "../check";
import { imported } from "../import";
import type { Checked, Declaration, Lifecycle } from "../lifecycle";
import { createShare } from "./create";
import { deleteShare } from "./delete";
import { diffShare } from "./diff";
import { rules, type ShareInputs, type ShareOutputs } from "./inputs";
import { knownOutputs } from "./location";
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
  create: (...of) => createShare(service, ...of),
  imported: (id) => imported(service, rules, "IPsec share", id),
  read: (...of) => readShare(service, ...of),
  update: (...of) => updateShare(service, ...of),
  inputsOf: (outputs) => rules.inputsOf(outputs),
  delete: (...of) => deleteShare(service, ...of),
});
