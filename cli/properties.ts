import { shareProperties, tunnelProperties } from "../provider/functions/checks";
import type { Filters } from "./filters";
import { type Wanted, wanted } from "./wanted";
import { Misuse } from "./outcome";

const propertiesOf: Record<Wanted, string[]> = { tunnels: tunnelProperties, shares: shareProperties };

/** The kinds of which some can match: what has not a property matches no value of it. @throws Misuse where none can. */
export function kindsFor(filters: Filters, kind?: Wanted): Wanted[] {
  const candidates = wanted.filter((each) => kind === undefined || each === kind);
  const all = new Set(candidates.flatMap((each) => propertiesOf[each]));
  const unknown = Object.keys(filters).filter((property) => !all.has(property));
  if (unknown.length > 0)
    throw new Misuse(`--filter ${unknown.join(", ")} is no property; there are: ${[...all].join(", ")}`);
  const matching = candidates.filter((each) => Object.keys(filters).every((one) => propertiesOf[each].includes(one)));
  if (matching.length > 0) return matching;
  throw new Misuse("no kind of resource has all the properties of these filters");
}

/** `name` or `name,desc` as lists take it. @throws Misuse where it is neither. */
export function orderOf(kind: Wanted, text: string): string {
  const [property = "", direction = "asc", ...rest] = text.split(",");
  const isOrder = ["asc", "desc"].includes(direction) && rest.length === 0;
  if (isOrder && propertiesOf[kind].includes(property)) return `${property},${direction}`;
  throw new Misuse(`--sort must be <property> or <property>,desc; properties are: ${propertiesOf[kind].join(", ")}`);
}
