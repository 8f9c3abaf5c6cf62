import { promisify } from "node:util";
import type * as pulumi from "@pulumi/pulumi";
import { ConstructRequest, type ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Provider } from "@pulumi/pulumi/provider/provider";
import * as sdkServer from "@pulumi/pulumi/provider/server";
import { type IpsecSiteArgs, type IpsecSiteOptions, siteOutputs } from "../any-site";
import { IpsecSite } from "./classes";

// What the plugin does for an IpsecSite of a program in another language. It is a bundle of its own, which only a run with a site loads.

type Answer = (error: Error | null, response?: ConstructResponse) => void;

/** Pulumi's side of a component. Its module exports it only in this bundle (scripts/bundle.mjs). */
const { Server } = sdkServer as unknown as {
  Server: new (
    engine: string,
    provider: Partial<Provider>,
    uncaughtErrors: Set<Error>,
  ) => { construct: (call: { request: ConstructRequest }, answer: Answer) => void };
};
type Server = InstanceType<typeof Server>;

/** One for the process: each listens to the errors that nobody catches, such as those of a child that Pulumi refuses. */
let server: Server | undefined;

/**
 * Registers the site of a serialized request with its children, and returns the serialized response. `engine` is the engine's address.
 * The provider of this process, whose reference is `self`, gets the children also.
 */
export async function construct(serialized: Uint8Array, engine: string, self: string): Promise<Uint8Array> {
  const request = ConstructRequest.deserializeBinary(serialized);
  request.getProvidersMap().set("frontdoor", self);
  server ??= new Server(engine, {}, new Set());
  const ofRequest = Object.create(server, { provider: { value: providerOf(request) } }) as Server;
  const response = await promisify((answer: Answer) => {
    ofRequest.construct({ request }, answer);
  })();
  return (response as unknown as ConstructResponse).serializeBinary();
}

const providerOf = (request: ConstructRequest): Partial<Provider> => ({
  construct: (name, _type, inputs, options) => {
    // The class itself refuses arguments that it does not know.
    const site = new IpsecSite(name, inputs as unknown as IpsecSiteArgs, optionsOf(request, options));
    const state = Object.fromEntries(siteOutputs.map((output) => [output, site[output]]));
    return Promise.resolve({ urn: site.urn, state });
  },
});

/** Returns the options of the program. Pulumi's server leaves two out, and gives what a program has not set. */
function optionsOf(request: ConstructRequest, given: pulumi.ComponentResourceOptions): IpsecSiteOptions {
  const secretOutputs = request.getAdditionalsecretoutputsList();
  const isSet = (value: unknown) =>
    value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
  const withoutUnset = (all: object = {}) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => isSet(value)));
  const { hooks, customTimeouts, ...others } = given as pulumi.ComponentResourceOptions & { hooks?: object };
  const [timeouts, hooked] = [withoutUnset(customTimeouts), withoutUnset(hooks)];
  return {
    ...withoutUnset(others),
    ...(Object.keys(timeouts).length > 0 && { customTimeouts: timeouts }),
    ...(Object.keys(hooked).length > 0 && { hooks: hooked }),
    ...(secretOutputs.length > 0 && { additionalSecretOutputs: secretOutputs }),
    ...(request.hasDeletebeforereplace() && { deleteBeforeReplace: request.getDeletebeforereplace() === true }),
  };
}
