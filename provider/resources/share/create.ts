import type { WireShare } from "../../api/types";
import { asReason, failed, type FrontdoorError } from "../../errors";
import { acceptDeployed } from "../../inventory/acceptors";
import { pendingDelete } from "../../messages/messages";
import { createOnce } from "../../operations/create";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { findAdopted } from "../existing";
import type { Made } from "../lifecycle";
import { reportStaleRecords } from "../stale-records";
import { changedFields, rules, type ShareInputs, type ShareOutputs } from "./inputs";
import { deployedOutputs, unfinishedShare } from "./outputs";
import { awaitPort } from "./port";
import { bringToInputs } from "./update";

const what = "IPsec share";

/** Creates or adopts a share and waits until it is DEPLOYED (spec: POST ipsec-shares). @throws FrontdoorError if no share was made. */
export async function createShare(
  service: Service,
  inputs: ShareInputs,
  isNameDerived: boolean,
  until: Until,
): Promise<Made<ShareOutputs>> {
  const kind = service.frontDoor(inputs.frontdoorId).shares;
  const label = `${what} "${inputs.name}"`;
  const adopted = await findAdopted(kind, label, inputs, isNameDerived, until);
  const made = adopted
    ? await fromExisting(service, adopted.live, adopted.inputs, until)
    : await newShare(service, inputs, isNameDerived, until);
  reportStaleRecords(kind, service, label, { name: inputs.name, id: adopted && made.id });
  return made;
}

/** Brings a share that exists to its inputs. */
const fromExisting = (service: Service, live: WireShare, inputs: ShareInputs, until: Until) =>
  bringToInputs(service, live.id, rules.outputsOf(live, { frontdoorId: inputs.frontdoorId }), inputs, until);

async function newShare(
  service: Service,
  inputs: ShareInputs,
  isNameDerived: boolean,
  until: Until,
): Promise<Made<ShareOutputs>> {
  const kind = service.frontDoor(inputs.frontdoorId).shares;
  await awaitPending(service, inputs, until);
  const isIdentical = (entry: WireShare) => changedFields(entry, inputs).length === 0;
  const creation = {
    ...{
      kind,
      label: `${what} "${inputs.name}"`,
      body: rules.fullBody(inputs),
      isNameDerived,
      isIdentical,
      required: rules.required,
    },
    tunnelIds: [inputs.ipsecTunnelId],
    onRefusal: (error: unknown) => awaitPort(service, inputs, undefined, error, until),
  };
  const { id, found } = await createOnce(creation, service, until);
  if (found && !(isIdentical(found) && ["NEW", "DEPLOYED"].includes(found.status))) {
    // The share is this resource's: whatever fails from here on, its id must reach the state.
    return fromExisting(service, found, inputs, until).catch((error: unknown) =>
      unfinishedShare(id, inputs, "NEW", { why: "failed", reason: asReason((error as FrontdoorError).message) }),
    );
  }
  const waited = await kind.inventory.wait(id, acceptDeployed, until, found ? undefined : "create");
  if (waited.now === "done") return { id, outputs: await deployedOutputs(kind, waited.value, inputs, until) };
  return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited);
}

/** Waits for the shares that leave the name or the port of a new one in this run. @throws FrontdoorError `failed` if one stays. */
async function awaitPending(
  service: Service,
  { name, frontdoorId, ipsecTunnelId: tunnelId, ingressPort }: ShareInputs,
  until: Until,
): Promise<void> {
  const { ledger } = service.frontDoor(frontdoorId).shares;
  for (const id of ledger.pendingAt({ name, tunnelId, ingressPort })) {
    const error = await ledger.awaitEnd(id, until);
    if (error) throw failed(pendingDelete(`${what} "${name}"`, id, asReason(error.message)));
  }
}
