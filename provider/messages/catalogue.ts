import { alerts } from "./entries/alerts";
import { calling } from "./entries/calling";
import { commandLine } from "./entries/command-line";
import { configuring } from "./entries/configuring";
import { creating } from "./entries/creating";
import { deleting } from "./entries/deleting";
import { fleet } from "./entries/fleet";
import { impact } from "./entries/impact";
import { importing } from "./entries/importing";
import { previewing } from "./entries/previewing";
import { reaching } from "./entries/reaching";
import { reading } from "./entries/reading";
import { updating } from "./entries/updating";
import type { Entry } from "./entry";

/** Every code, grouped by the task of the user. */
export const catalogue: readonly { doing: string; entries: readonly Entry[] }[] = [
  { doing: "Configuring", entries: configuring },
  { doing: "Reaching the service", entries: [...reaching, ...calling] },
  { doing: "Previewing", entries: previewing },
  { doing: "Creating", entries: creating },
  { doing: "Updating", entries: updating },
  { doing: "Deleting", entries: deleting },
  { doing: "Importing and adopting", entries: importing },
  { doing: "Reading", entries: reading },
  { doing: "Using the command line", entries: [...commandLine, ...alerts, ...impact] },
  { doing: "Running a fleet", entries: fleet },
];
