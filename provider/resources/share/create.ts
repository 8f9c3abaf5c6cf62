import type { WireShare } from "../../api/types";
import { asReason, failed, type FrontdoorError } from "../../errors";
import { acceptDeployed } from "../../inventory/acceptors";
import { pendingDelete } from "../../messages/messages";
import { createOnce } from "../../operations/create-once";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { adoptOrCreate } from "../adopt";
import type { Outcome } from "../lifecycle";
import { rules, type ShareInputs, type ShareOutputs } from "./inputs";
import { deployedOutputs, shareLabel, spellingsOf, unfinishedShare } from "./outputs";
import { awaitPort } from "./port";
import { bringToInputs } from "./update";

/** Creates or adopts a share and waits until it is DEPLOYED (spec: POST ipsec-shares). @throws FrontdoorError if there is no share to save. */
export const createShare = (
  service: Service,
  inputs: ShareInputs,
  isNameDerived: boolean,
  until: Until,
): Promise<Outcome<ShareOutputs>> =>
  adoptOrCreate(
    service,
    {
      kindOf: ({ shares }) => shares,
      label: shareLabel(inputs.name),
      inputs,
      isNameDerived,
      adopt: (live, adopted) => bringFound(service, live, adopted, until),
      create: () => newShare(service, inputs, isNameDerived, until),
    },
    until,
  );

/** Brings a share that was found at the service to its inputs. */
const bringFound = (service: Service, live: WireShare, inputs: ShareInputs, until: Until) =>
  bringToInputs(service, live.id, rules.outputsOf(live, { frontdoorId: inputs.frontdoorId }), inputs, until);

async function newShare(
  service: Service,
  inputs: ShareInputs,
  isNameDerived: boolean,
  until: Until,
): Promise<Outcome<ShareOutputs>> {
  const kind = service.frontDoor(inputs.frontdoorId).shares;
  await awaitPending(service, inputs, until);
  const isIdentical = (entry: WireShare) => rules.otherFields(entry, inputs, "update").length === 0;
  const creation = {
    kind,
    label: shareLabel(inputs.name),
    body: rules.fullBody(inputs),
    isNameDerived,
    isIdentical,
    rules,
    tunnelIds: [inputs.ipsecTunnelId],
    onRefusal: (error: unknown) => awaitPort(service, inputs, undefined, error, until),
  };
  const created = await createOnce(creation, service, until);
  const { id, found } = created;
  if (found && !(isIdentical(found) && ["NEW", "DEPLOYED"].includes(found.status))) {
    // The id must reach the state, whatever fails from here on.
    return bringFound(service, found, inputs, until).catch((error: unknown) =>
      unfinishedShare(id, inputs, "NEW", { why: "failed", reason: asReason((error as FrontdoorError).message) }),
    );
  }
  const waited = created.found ? await kind.inventory.wait(id, acceptDeployed, until) : created.waited;
  if (waited.now === "done") return { id, outputs: await deployedOutputs(kind, waited.value, inputs, until) };
  const __shown = spellingsOf(waited.last, inputs);
  return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited, { __shown });
}

/** Waits for the shares that leave the name or the port of a new one in this run. @throws FrontdoorError `failed` if one stays. */
async function awaitPending(service: Service, inputs: ShareInputs, until: Until): Promise<void> {
  const { name, frontdoorId, ipsecTunnelId: tunnelId, ingressPort } = inputs;
  const { ledger } = service.frontDoor(frontdoorId).shares;
  for (const id of ledger.pendingAt({ name, tunnelId, ingressPort })) {
    const error = await ledger.awaitEnd(id, until);
    if (error) throw failed(pendingDelete(shareLabel(inputs.name), id, asReason(error.message)));
  }
}
