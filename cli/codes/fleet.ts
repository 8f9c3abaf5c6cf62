import type { Entry } from "./entry";

export const fleet: readonly Entry[] = [
  {
    code: "backend-address",
    meaning: "The fleet file names a back end by its address, which can contain secrets.",
    cause: "Temporal keeps the fleet file.",
    remedies: ["Write `env:NAME` or `file:PATH` instead of the address."],
  },
  {
    code: "payload-not-encrypted",
    meaning: "Temporal holds a payload that is not encrypted.",
    cause: "A run or schedule was started without `FRONTDOOR_FLEET_KEY`.",
    remedies: ["Cancel the runs and remove the schedules that were started without the key."],
  },
  {
    code: "temporal-plain-text",
    meaning: "The connection to Temporal would not be encrypted.",
    cause: "Temporal is on another machine, and TLS is off.",
    remedies: ["Set `TEMPORAL_TLS=true`."],
  },
  {
    code: "worker-program",
    meaning: "The program of a stack is outside the worker's folder.",
    cause: "A worker runs only programs below its `--root`.",
    remedies: ["Move the program below the worker's `--root`."],
  },
  {
    code: "worker-project",
    meaning: "The project is called `frontdoor`, which is also the prefix of the provider's settings.",
    cause: "The name `frontdoor` in `Pulumi.yaml` mixes the project's settings with those of the provider.",
    remedies: ["Rename the project in `Pulumi.yaml`."],
  },
  {
    code: "worker-backend",
    meaning: "The worker does not allow the back end of the fleet.",
    cause: "A worker uses only the back ends of `--allow-backend`.",
    remedies: ["Start the worker with `--allow-backend` and the back end as the fleet file names it."],
  },
  {
    code: "worker-secret",
    meaning: "The worker does not allow a reference to a secret.",
    cause: "A worker reads only the variables and files of `--allow-secret`.",
    remedies: ["Start the worker with `--allow-secret` and the reference."],
  },
  {
    code: "worker-url",
    meaning: "The worker does not allow an address of the stack.",
    cause: "A worker sends credentials only to the addresses of `--allow-url`.",
    remedies: ["Start the worker with `--allow-url` and the address."],
  },
  {
    code: "fleet-file",
    meaning: "The fleet file has a mistake.",
    cause: "Each line of the message names a place in the file and its problem.",
    remedies: ["Correct the file.", "Name another file with `--file`."],
  },
  {
    code: "fleet-option",
    meaning: "An option of `frontdoor-fleet` names something that the fleet does not have.",
    cause: "A stack, a label, a wave or an interval is misspelt or missing.",
    remedies: ["Use a name from `frontdoor-fleet plan`."],
  },
  {
    code: "fleet-busy",
    meaning: "Another run of this fleet is under way.",
    cause: "A fleet has only one active run.",
    remedies: ["Wait until `frontdoor-fleet status` shows its end.", "End it with `frontdoor-fleet cancel`."],
  },
  {
    code: "no-run",
    meaning: "No run of this fleet is under way.",
    cause: "The fleet has not run yet, or the last run has ended.",
    remedies: ["Start a run, for example with `frontdoor-fleet up`."],
  },
  {
    code: "no-worker",
    meaning: "A run is under way, but no worker answers.",
    cause: "No worker serves the fleet's queue.",
    remedies: ["Start a worker with `frontdoor-fleet worker`."],
  },
  {
    code: "temporal-unreachable",
    meaning: "Temporal does not answer at its address.",
    cause: "`TEMPORAL_ADDRESS` is wrong, or Temporal isn't running.",
    remedies: ["Check `TEMPORAL_ADDRESS`.", "Start Temporal."],
  },
  {
    code: "fleet-key",
    meaning: "`FRONTDOOR_FLEET_KEY` is not a valid key.",
    cause: "The key must be 32 bytes in base64.",
    remedies: ["Set it to the output of `openssl rand -base64 32`."],
  },
  {
    code: "worker-no-program",
    meaning: "The worker does not have the program of a stack.",
    cause: "The path of `program` has no folder with `Pulumi.yaml` below the worker's `--root`.",
    remedies: ["Correct `program` in the fleet file.", "Copy the program into a folder below the worker's `--root`."],
  },
  {
    code: "worker-secret-missing",
    meaning: "The worker cannot read the value of a reference.",
    cause: "The worker has no such variable or file, or cannot read the file.",
    remedies: ["Set the variable or write the file on the worker."],
  },
  {
    code: "engine-failed",
    meaning: "The engine failed without a message.",
    cause: "The engine ended before it could print an error.",
    remedies: ["Run the same operation with `pulumi` on the worker."],
  },
];
