import { isAnothers } from "../../operations/answered-id";
import { isBare } from "../../api/wire";
import { find } from "../../operations/find";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { detailsOf } from "./details";
import { rules, type TunnelOutputs } from "./inputs";
import { tunnelSubject, updatedOutputs } from "./outputs";

/** Returns the tunnel as the service shows it, or undefined if the service has proved that it is gone. @throws FrontdoorError. */
export async function readTunnel(
  service: Service,
  id: string,
  olds: TunnelOutputs,
  until: Until,
): Promise<TunnelOutputs | undefined> {
  const subject = tunnelSubject(service, id, olds);
  if (await isAnothers(subject.kind, { ...olds, id }, rules.required, until)) return undefined;
  subject.kind.records.remove(olds.name, id);
  const wire = await find(subject, until);
  if (!wire) return undefined;
  const outputs = updatedOutputs(wire, olds);
  if (isBare(wire) || wire.status !== "DEPLOYED") return outputs;
  return { ...outputs, ...(await detailsOf(subject.kind, id, olds.sampleConfig !== undefined, until)) };
}
