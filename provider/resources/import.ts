import { failed } from "../errors";
import type { Known, Rules } from "../fields/rules";
import { importIdWrong } from "../messages/messages";
import type { Service } from "../service";

/** Returns the id and the state from which the read of an import starts. @throws FrontdoorError `failed` if the id is malformed. */
export function imported<Outputs extends Known>(
  { config }: Service,
  rules: Pick<Rules<Outputs>, "blank">,
  id: string,
): { id: string; olds: Outputs } {
  const [ownId = "", frontdoorId = config.frontdoorId ?? "", ...more] = id.split("/").reverse();
  if (more.length > 0) throw failed(importIdWrong(id));
  return { id: ownId, olds: rules.blank(frontdoorId) };
}
