import { shareFields } from "../fields/share";
import type { WireShare } from "../fields/types";
import { entryOf } from "./wire";

/** An IPsec share as list and get show it (spec: IPsec share). */
export const wireShare = entryOf<WireShare>(shareFields);
