import { failed } from "../errors";
import type { Known, Rules } from "../fields/rules";
import { importIdWrong } from "../messages/messages";
import type { Service } from "../service";

/** Returns what a read of an imported id starts from. @throws FrontdoorError `failed` if it is no such id. */
export function imported<Outputs extends Known>(
  { config }: Service,
  rules: Rules<Outputs>,
  id: string,
): { id: string; olds: Outputs } {
  const [ownId = "", frontdoorId = config.frontdoorId ?? "", ...more] = id.split("/").reverse();
  if (more.length > 0) throw failed(importIdWrong(id));
  return { id: ownId, olds: rules.blank(frontdoorId) };
}
