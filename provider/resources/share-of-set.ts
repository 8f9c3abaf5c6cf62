import { defined, has, inOneSpelling, UNKNOWN, valueOf } from "../fields/field";
import { shareFields } from "../fields/share";
import { setShareFields } from "../fields/share-set";
import { shareKey } from "../fields/values";
import type { Failure } from "../lifecycle/contract";
import { strangeInputs } from "./given";

const ownShare = { table: setShareFields, what: "a share of IpsecShareSet" };

/** A share of a set, with the fields that it has from the set. */
export const shareInSet = { ...ownShare, table: { ...shareFields, retain: setShareFields.retain } };

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Returns what is wrong with the key of a share. */
export const wrongKey = (key: string): string | undefined => shareKey.safeParse(key).error?.issues[0]?.message;

/** A share as the program gives it, with what it has from its set. Undefined: it is unknown, or a problem is that it is none. */
interface GivenShare {
  given: Record<string, unknown> | undefined;
  /** The problems of the key (property `""`), and of inputs that a share of a set does not have. */
  problems: Failure[];
}

/** Adds the inputs of the set (`ofSet`) to a share that lacks them, and leaves strange ones out. */
export function shareOfSet([key, share]: [key: string, share: unknown], ofSet: object): GivenShare {
  const isShare = isObject(share) || share === UNKNOWN;
  const noShare = isShare ? undefined : 'must be a share, such as { target: "web.internal:443", ingressPort: 443 }';
  const reason = wrongKey(key) ?? noShare;
  if (reason !== undefined || !isObject(share))
    return { given: undefined, problems: reason === undefined ? [] : [{ property: "", reason }] };
  const all = defined(share, (name) => valueOf(share, name) !== null);
  const problems = strangeInputs(ownShare, all).map(({ property, reason: strange }) =>
    property in ofSet
      ? { property, reason: "is the same for the whole set. Move it from the share to the set" }
      : { property, reason: strange },
  );
  const own = defined(all, (name) => !problems.some(({ property }) => property === name));
  const spelled = inOneSpelling(setShareFields, own);
  return { given: { ...own, ...defined(ofSet, (name) => !has(spelled, name)) }, problems };
}
