import type { Entry } from "./entry";
import { alerts, commandLine, impact } from "./command";
import { fleet } from "./fleet";
import { creating, deleting, importing, previewing, reading, updating } from "./resources";
import { calling, configuring, reaching } from "./service";

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
