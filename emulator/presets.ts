import { randomUUID } from "node:crypto";
import type { Settings } from "./settings";

/** The scope of an API account's token request. It is required and has no effect. */
export const apiAccountScope = "https://gateway.production.netfoundry.io//ignore-scope";

/** The services that the emulator can imitate: NetFoundry's as its public pages and clients describe it. */
export const presets = {
  netfoundry: (): Partial<Settings> => ({
    frontdoorId: randomUUID(),
    organizationId: randomUUID(),
    environments: { "ijcrWb-ZOq": "datacenter-1" },
    oauthForm: "form",
    oauthScope: apiAccountScope,
    listForm: "as accepted",
    deletedListed: false,
    notFoundStatus: 403,
    gatewayTimeoutMs: 3000,
    tunnelConfigForm: "aws",
    connectionStatusMessage: "1 BGP ROUTES",
    metricsForm: "samples",
    defaultLocationId: "us-east-1",
  }),
};
