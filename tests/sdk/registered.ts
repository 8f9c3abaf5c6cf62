import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../sdk";
import * as plugin from "../../sdk/plugin";

/** The classes of the dynamic provider and of the plugin. */
export const classesOf = { dynamic, plugin };

/** The registration of one resource with the engine. */
export interface Registered {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** Of one that is only read. */
  id: string | undefined;
  provider: string | undefined;
}

export const registered: Registered[] = [];
/** An engine that makes whatever it is told to. */
export function mockEngine(organization = "acme"): Promise<void> {
  const newResource = ({ type, name, inputs, id, provider }: pulumi.runtime.MockResourceArgs) => {
    registered.push({ type, name, inputs: inputs as Record<string, unknown>, id, provider });
    const state = { ...(inputs as Record<string, unknown>), sampleConfig: "psk" };
    return { id: id === undefined || id === "" ? `id-${name}` : id, state };
  };
  return pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "net", "dev", false, organization);
}

/** The same, but functions take it for an engine without mocks, so that they read the service. */
export async function plainEngine(): Promise<void> {
  await mockEngine();
  const monitor = pulumi.runtime.getMonitor() as unknown as Record<string, unknown>;
  const prototype = Object.getPrototypeOf(monitor) as Record<string, NewableFunction>;
  const inner: unknown = Object.assign(Object.create(prototype) as object, monitor);
  for (const name of Object.getOwnPropertyNames(prototype))
    if (name !== "constructor") monitor[name] = prototype[name]?.bind(inner);
  delete monitor["mocks"];
}

export const resolved = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => {
    output.apply(resolve);
  });

/** The options that the engine is told, with which a program's transformations see them. */
export function optionsOf(declare: (opts: pulumi.CustomResourceOptions) => pulumi.CustomResource) {
  const seen: pulumi.CustomResourceOptions[] = [];
  const transformation: pulumi.ResourceTransformation = ({ opts }) => {
    seen.push(opts);
    return undefined;
  };
  declare({ transformations: [transformation] });
  return seen[0] ?? {};
}
