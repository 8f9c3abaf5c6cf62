import { failed, type FrontdoorError } from "../errors";
import { pick } from "../fields/field";
import { notConfigured } from "../messages/messages";
import type { Common, Resource } from "../resources/resource";
import type { Settings } from "./process";
import type { Props } from "./values";

/** Opens the resource of one kind with these settings. @throws FrontdoorError if the settings are wrong. */
export type OpenResource<Inputs extends Common, Outputs extends Common> = (
  settings: Settings,
) => Resource<Inputs, Outputs>;

/** Values that the engine sends only to check: the inputs in the state, if there are any, and the URN. */
interface Checked {
  oldInputs: Props | undefined;
  urn: string;
}

/** Keeps the state of the adapter between the engine's calls. */
export class Session<Inputs extends Common, Outputs extends Common> {
  private configured: Resource<Inputs, Outputs> | FrontdoorError = failed(notConfigured);
  private readonly checked = new Map<string, Checked>();

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

  /** Remembers the values that the engine sends only to check. */
  remember(inputs: object, { olds, origin = "" }: { olds: Props; origin: string | undefined }): void {
    const oldInputs = Object.keys(olds).length > 0 ? olds : undefined;
    this.checked.set(identityOf(inputs), { oldInputs, urn: origin.slice(origin.indexOf("urn:")) });
  }

  /** Returns the remembered values of the resource with these inputs; undefined if there was no check, as before a delete. */
  checkedOf(inputs: Props): Checked | undefined {
    return this.checked.get(identityOf(inputs));
  }
}

/** Name and front door tell a resource from the others of its kind; a connection has its tunnel's id instead of a name. */
const identityOf = (props: object) => JSON.stringify(pick(props, ["frontdoorId", "name", "tunnelId"]));
