import { shareProperties, tunnelProperties } from "../provider/functions/checks";
import type { Filters } from "./filters";
import { type Wanted, wanted } from "./wanted";
import { Misuse } from "./outcome";

const propertiesOf: Record<Wanted, string[]> = { tunnels: tunnelProperties, shares: shareProperties };

/** Returns the kinds that have all filtered properties. @throws Misuse if there are none. */
export function kindsFor(filters: Filters, kind?: Wanted): Wanted[] {
  const candidates = wanted.filter((each) => kind === undefined || each === kind);
  const all = new Set(candidates.flatMap((each) => propertiesOf[each]));
  const unknown = Object.keys(filters).filter((property) => !all.has(property));
  if (unknown.length > 0)
    throw new Misuse(
      `--filter ${unknown.join(", ")} is no property. Use one of: ${[...all].join(", ")}. [invalid-option]`,
    );
  const matching = candidates.filter((each) => Object.keys(filters).every((one) => propertiesOf[each].includes(one)));
  if (matching.length > 0) return matching;
  throw new Misuse(
    "neither tunnels nor shares have all the properties of these filters. Nothing was sent. Remove one of the filters. [invalid-option]",
  );
}

/** Returns `name` or `name,desc` in the form that lists take. @throws Misuse for any other text. */
export function orderOf(kind: Wanted, text: string): string {
  const [property = "", direction = "asc", ...rest] = text.split(",");
  const isOrder = ["asc", "desc"].includes(direction) && rest.length === 0;
  if (isOrder && propertiesOf[kind].includes(property)) return `${property},${direction}`;
  throw new Misuse(
    `--sort must be <property> or <property>,desc with one of: ${propertiesOf[kind].join(", ")}. [invalid-option]`,
  );
}
