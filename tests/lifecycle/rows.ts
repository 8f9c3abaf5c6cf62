import type { Row } from "./row";
import { changes, drift } from "./rows/changes";
import { connections } from "./rows/connections";
import { errors, interrupts } from "./rows/errors";
import { identity } from "./rows/identity";
import { sets } from "./rows/sets";
import { timeouts } from "./rows/timeouts";

/** The lifecycle, row by row: every adapter shows all of it, in virtual time and on the engine. */
const rows: Row[] = [...changes, ...identity, ...drift, ...errors, ...timeouts, ...interrupts, ...sets, ...connections];

/** The rows of an adapter. */
export const rowsOf = (name: "dynamic" | "plugin"): Row[] => rows.filter(({ adapter = name }) => adapter === name);
