import { failed, type FrontdoorError } from "../errors";
import { pick } from "../fields/field";
import { notConfigured } from "../messages/messages";
import type { Resource } from "../resources/resource";
import type { Settings } from "./process";
import type { Props } from "./values";

/** Opens the resource of one kind with these settings. @throws FrontdoorError if the settings are wrong. */
export type OpenResource<Inputs extends { name: string }, Outputs extends { name: string }> = (
  settings: Settings,
) => Resource<Inputs, Outputs>;

/** Keeps the state of the adapter between the engine's calls. */
export class Session<Inputs extends { name: string }, Outputs extends { name: string }> {
  private configured: Resource<Inputs, Outputs> | FrontdoorError = failed(notConfigured);
  private readonly oldInputs = new Map<string, Props>();

  constructor(private readonly open: OpenResource<Inputs, Outputs>) {}

  /** Opens the resource. Never throws: if the settings are wrong, `problem` says so. */
  configure(settings: Settings): void {
    try {
      this.configured = this.open(settings);
    } catch (error) {
      this.configured = error as FrontdoorError;
    }
  }

  /** The problem if there is no resource, else undefined. */
  get problem(): string | undefined {
    return this.configured instanceof Error ? this.configured.message : undefined;
  }

  /** The resource. @throws FrontdoorError if there is a problem. */
  get resource(): Resource<Inputs, Outputs> {
    if (this.configured instanceof Error) throw this.configured;
    return this.configured;
  }

  /** Remembers the inputs in the state for the diff: the engine tells them only to check. */
  rememberOldInputs(inputs: Props, olds: Props): void {
    if (Object.keys(olds).length > 0) this.oldInputs.set(placeOf(inputs), olds);
  }

  oldInputsOf(inputs: Props): Props | undefined {
    return this.oldInputs.get(placeOf(inputs));
  }
}

/** Name and front door tell a resource from the others of its kind. */
const placeOf = (props: object) => JSON.stringify(pick(props, ["frontdoorId", "name"]));
