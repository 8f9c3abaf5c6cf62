import type { Row } from "./row";
import { changes } from "./rows/changes";
import { identity } from "./rows/identity";
import { trouble } from "./rows/trouble";

/** The lifecycle, row by row: every host shows all of it, in virtual time and on the engine. */
export const rows: Row[] = [...changes, ...identity, ...trouble];
