import type { Entry } from "../entry";

export const fleet: readonly Entry[] = [
  {
    code: "backend-address",
    meaning: "The fleet file holds a back end's address that can hold secrets.",
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
    meaning: "The project has the name of the provider's settings.",
    cause: "The name `frontdoor` in `Pulumi.yaml` mixes the project's settings with those of the provider.",
    remedies: ["Rename the project in `Pulumi.yaml`."],
  },
  {
    code: "worker-backend",
    meaning: "The worker does not allow the back end of the fleet.",
    cause: "A worker uses only the back ends of `--allow-backend`.",
    remedies: ["Start the worker with `--allow-backend` and the address."],
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
];
