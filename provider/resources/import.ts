import { failed } from "../errors";
import type { Known, Rules } from "../fields/rules";
import { importIdWrong, noneOfThisId } from "../messages/messages";
import type { Service } from "../service";

/** The state that the read of an import starts from, and the message if the service has no such resource. */
export interface Imported<Outputs> {
  id: string;
  olds: Outputs;
  missing: string;
}

/** Returns what the read of an import starts from. @throws FrontdoorError `failed` if the id is malformed. */
export function imported<Outputs extends Known>(
  { config }: Service,
  rules: Pick<Rules<Outputs>, "blank">,
  what: string,
  id: string,
): Imported<Outputs> {
  const [ownId = "", frontdoorId = config.frontdoorId ?? "", ...more] = id.split("/").reverse();
  if (more.length > 0) throw failed(importIdWrong(id));
  return { id: ownId, olds: rules.blank(frontdoorId), missing: noneOfThisId(`${what} ${ownId}`, frontdoorId) };
}
