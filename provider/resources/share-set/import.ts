import { isPresent } from "../../api/status";
import type { WireShare } from "../../api/types";
import { failed } from "../../errors";
import { noSharesMatch, setImportIdWrong } from "../../messages/sets";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import type { Imported } from "../import";
import { sharesOf } from "../share/users";
import { rules } from "../share/inputs";
import { pick, valueOf } from "../../fields/field";
import { shareKey } from "../../fields/values";
import { defaultNames, setOutputs, type ShareSetOutputs, type StateShare } from "./inputs";
import { isWildcardMatch } from "./wildcard";

/** True for a pattern of names: letters, digits and hyphens, and `*` for any number of them. */
const isPattern = (text: string): boolean => /^[A-Za-z0-9*-]+$/.test(text);

/** Returns what the read of an imported set starts from: the tunnel and a pattern of names. @throws FrontdoorError `failed` if the id is malformed. */
export function importedSet(id: string, configured = ""): Imported<ShareSetOutputs> {
  const parts = id.split("/");
  const [frontdoorId = "", kind, ipsecTunnelId = "", __pattern = "*", ...more] =
    parts[0] === "tunnel" ? [configured, ...parts] : parts;
  if (kind !== "tunnel" || ipsecTunnelId === "" || !isPattern(__pattern) || more.length > 0)
    throw failed(setImportIdWrong(id));
  const olds = { ...setOutputs({ ipsecTunnelId, frontdoorId, name: id }, new Map()), __pattern };
  return { id, olds, missing: noSharesMatch(ipsecTunnelId, __pattern, frontdoorId) };
}

/** Returns the shares of a tunnel whose names match. The key of each is its name, with the id if the name cannot be a key. */
export async function sharesMatching(
  pattern: string,
  { frontdoorId, ipsecTunnelId }: ShareSetOutputs,
  service: Service,
  until: Until,
): Promise<Map<string, StateShare>> {
  const shares = (await sharesOf(service.frontDoor(frontdoorId), ipsecTunnelId, until)).filter(
    (share) => share.ipsecTunnelId === ipsecTunnelId && isPresent(share) && isWildcardMatch(share.name, pattern),
  );
  const isNoKey = (name: string) => !shareKey.safeParse(name).success;
  const keyOf = ({ name, id }: WireShare) =>
    isNoKey(name) || shares.some((other) => other.id !== id && other.name === name) ? `${name}-${id}` : name;
  return new Map(
    shares.map((share) => [keyOf(share), { id: share.id, outputs: rules.outputsOf(share, rules.blank(frontdoorId)) }]),
  );
}

/** Returns the values that all shares have, which a program can give once for the set. */
export function commonDefaults(shares: ReadonlyMap<string, StateShare>): object {
  const [first, ...others] = [...shares.values()].map(({ outputs }) => outputs);
  const isCommon = (name: string) => first && others.every((each) => valueOf(each, name) === valueOf(first, name));
  return first ? pick(first, defaultNames.filter(isCommon)) : {};
}
