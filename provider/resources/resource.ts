import type { Planned } from "../fields/field";
import { failed, FrontdoorError, safeText, withCode } from "../errors";
import { refreshRefused } from "../messages/messages";
import type { Service } from "../service";
import type { Until } from "../time/clock";
import { changesByProperty, propertyOf } from "./changes";
import type { Change, Checked, Declaration, Diff, Lifecycle, Outcome } from "./lifecycle";
import { inputsNoted, isNameDerived, type Notes, notesOf, withServiceName } from "./notes";

/** A resource as the service shows it, and its inputs if the state tells which ones the program had given. */
export interface Seen<Outputs> {
  id: string;
  outputs: Outputs & Notes;
  inputs: (object & Notes) | undefined;
}

/** The timeout of an operation, and its progress line. */
export interface OperationOptions {
  /** Undefined if the user has given none. */
  timeoutSeconds?: number | undefined;
  /** Called after each poll with the state of the wait, and at its end with an empty line. */
  report?: (progress: string) => void;
}

/** The fields that the inputs and outputs of all kinds share. A tunnel connection has no name. */
export interface Common {
  frontdoorId: string;
  name?: string;
}

/** Outputs that are always secret. */
const secretOutputs: readonly string[] = ["sampleConfig"];

/** Properties of a set that each of its shares repeats. */
const repeatedInShares = ["frontdoorId", "ipsecTunnelId", "envZId", "envId", "locationId"];

/**
 * Returns the names of the secret outputs: those that are always secret, and each one made from a secret input, such as `endpoints`, or
 * the notes of what the service shows for it.
 */
export function secretOutputsWith(secretInputs: readonly string[] = []): readonly string[] {
  if (secretInputs.every((name) => secretOutputs.includes(name))) return secretOutputs;
  const hasSecret = (names: readonly string[]) => names.some((name) => secretInputs.includes(name));
  const always = [...secretOutputs, "__shown"];
  if (hasSecret(["shares", ...repeatedInShares])) return [...always, "shares", "endpoints"];
  return hasSecret(["nlbDnsName"]) ? [...always, "endpoints"] : always;
}

/** A diff has little time, because Pulumi shows nothing before it has ended. A read may have to outlast a pause that the service asks for. */
const readTimeouts = { diffSeconds: 60, readSeconds: 900 };

/** Wraps a lifecycle for the adapters: adds deadlines and notes, and redacts every message. */
export class Resource<Inputs extends Common, Outputs extends Common> {
  constructor(
    private readonly lifecycle: Lifecycle<Inputs, Outputs>,
    private readonly service: Service,
  ) {}

  /** Keeps the value of a secret input, and every value in it, out of all messages. */
  keepSecret(value: unknown): void {
    this.service.secrets.addAll(value);
  }

  check(declared: Declaration): Omit<Checked<Inputs>, "isNameDerived"> & { inputs: Notes } {
    if (declared.isUp === true) this.service.previewGate.open();
    const { inputs, isNameDerived, ...checked } = this.lifecycle.check(declared);
    const clean = (text: string) => withCode(this.service.secrets.clean(text), "invalid-input");
    const failures = checked.failures.map(({ property, reason, value }) => {
      const top = propertyOf(property);
      // The engine shows the value with the property that a failure names: it must not show a secret, and it shows `<nil>` for a path.
      // The proposed spelling of a secret would be the secret.
      if (declared.secrets?.includes(top))
        return { property: "", reason: clean(`${property} (a secret) ${reason.replace(/\. Did you mean .*\?/s, "")}`) };
      if (property === top) return { property, reason: clean(reason) };
      return { property: "", reason: clean(`${property}${quoted(value)} ${reason}`) };
    });
    return { ...checked, failures, inputs: { ...inputs, ...(isNameDerived && { __defaults: ["name"] }) } };
  }

  /**
   * Compares a resource with the program. Without `oldInputs`, the inputs follow from the outputs. `requests` names the requests that
   * the change leads to, in one line.
   */
  async diff(
    id: string,
    olds: Outputs & Notes,
    news: Planned<Inputs> & Notes,
    oldInputs: object = this.lifecycle.inputsOf(olds) ?? olds,
  ): Promise<Diff & { properties: Record<string, Change>; requests?: string }> {
    const until = this.service.until(readTimeouts.diffSeconds);
    const inputs = withServiceName(olds, news);
    const diff = await this.service.secrets.cleaned(this.lifecycle.diff(id, olds, inputs, until, news.name));
    if (!diff.changes) return { ...diff, properties: {} };
    const requests = await this.lifecycle.preview(id, olds, inputs, diff, until);
    const properties = changesByProperty(oldInputs, news, diff.replaces);
    return { ...diff, properties, ...(requests !== undefined && { requests }) };
  }

  /**
   * Returns the outputs of a create, or of an update of `olds`, as far as a preview knows them.
   * @throws FrontdoorError if a resource outside this stack has the port or location of a create.
   */
  async preview(inputs: Planned<Inputs> & Notes, olds?: Outputs & Notes): Promise<Planned<Outputs>> {
    if (olds) return this.lifecycle.knownOutputs(withServiceName(olds, inputs), olds);
    const until = this.service.until(readTimeouts.diffSeconds);
    await this.service.secrets.cleaned(this.lifecycle.refuseTaken?.(inputs, until) ?? Promise.resolve());
    return this.lifecycle.knownOutputs(inputs);
  }

  async create(inputs: Inputs & Notes, operation: OperationOptions = {}): Promise<Outcome<Outputs & Notes>> {
    const isDerived = isNameDerived(inputs);
    const { create } = this.lifecycle.timeoutsOf(inputs);
    const made = await work(this.service, operation, create, (until) =>
      this.lifecycle.create(inputs, isDerived, until),
    );
    return noted(this.service, made, inputs);
  }

  /**
   * Returns undefined only if the service has proved that the resource is gone. Without `olds`, the id is that of an import.
   * @throws FrontdoorError; `failed` if there is nothing to import.
   */
  async read(id: string, olds?: Outputs & Notes): Promise<Seen<Outputs> | undefined> {
    const from = olds ? { id, olds, missing: undefined } : this.lifecycle.imported(id);
    const until = this.service.until(readTimeouts.readSeconds);
    const outputs = await this.service.secrets
      .cleaned(this.lifecycle.read(from.id, from.olds, until))
      .catch((error: unknown) => {
        throw olds ? ofRefresh(error) : error;
      });
    if (!outputs && from.missing !== undefined) throw failed(from.missing);
    if (!outputs) return undefined;
    const { __defaults, __derivedName } = olds ?? {};
    return {
      id: from.id,
      outputs: { ...outputs, __defaults, __derivedName },
      inputs: inputsNoted(this.lifecycle.inputsOf(outputs), olds ?? {}),
    };
  }

  async update(
    id: string,
    olds: Outputs & Notes,
    news: Inputs & Notes,
    operation: OperationOptions = {},
  ): Promise<Outcome<Outputs & Notes>> {
    const inputs = withServiceName(olds, news);
    const { update } = this.lifecycle.timeoutsOf(inputs);
    const made = await work(this.service, operation, update, (until) => this.lifecycle.update(id, olds, inputs, until));
    return noted(this.service, made, news);
  }

  async delete(id: string, olds: Outputs & Notes, operation: OperationOptions = {}): Promise<void> {
    const { delete: seconds } = this.lifecycle.timeoutsOf(olds);
    await work(this.service, operation, seconds, (until) => this.lifecycle.delete(id, olds, until));
  }
}

/** The errors that wrong settings lead to. */
const ofSettings = ["token-refused", "client-refused", "access-refused", "not-found-front-door"];

/** Returns the error of a refresh, which says what helps if the settings are right by now: a refresh has those of the last run. */
function ofRefresh(error: unknown): unknown {
  const { code, message, trouble } = error as Partial<FrontdoorError>;
  if (!trouble || !message || !ofSettings.includes(code ?? "")) return error;
  return new FrontdoorError(refreshRefused(message), trouble);
}

/** Returns a plain value for a message, in brackets. Other values are left out. */
const quoted = (value: unknown): string =>
  ["string", "number", "boolean"].includes(typeof value) ? ` (${safeText(JSON.stringify(value), 80)})` : "";

/** Works until the deadline that the user or the resource sets. @throws FrontdoorError without any secret. */
function work<Result>(
  service: Service,
  { timeoutSeconds, report }: OperationOptions,
  defaultSeconds: number,
  operate: (until: Until) => Promise<Result>,
): Promise<Result> {
  let isShown = false;
  const show = (line: string) => {
    isShown = true;
    report?.(line);
  };
  const until = { ...service.until(timeoutSeconds ?? defaultSeconds), report: report && show };
  // The last line of a wait would stay beside the finished resource.
  return service.during(() => service.secrets.cleaned(operate(until))).finally(() => isShown && report?.(""));
}

function noted<Outputs extends { name?: string }>(
  { secrets }: Service,
  { id, outputs, unfinished }: Outcome<Outputs>,
  inputs: { name?: string } & Notes,
): Outcome<Outputs & Notes> {
  const made = { id, outputs: { ...outputs, ...notesOf(outputs, inputs) } };
  return unfinished ? { ...made, unfinished: secrets.cleanError(unfinished) as FrontdoorError } : made;
}
