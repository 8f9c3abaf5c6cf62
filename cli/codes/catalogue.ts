import { alerts, commandLine, impact } from "./command";
import { fleet } from "./fleet";
import { creating, deleting, importing, previewing, reading, updating } from "./resources";
import { calling, configuring, reaching } from "./service";

/** The text of one code for `frontdoor explain` and docs/troubleshooting.md. */
export interface Entry {
  code: string;
  /** One sentence: the situation. */
  meaning: string;
  /** One or two sentences. */
  cause: string;
  /** One to three, the most likely first. */
  remedies: readonly string[];
}

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
