// Generated from provider/config.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Provider: the settings, without `frontdoor:`. Omitted arguments come from the environment. */
export interface ProviderArgs {
  /** Service address, ends with `/frontdoor`: `https`, plain `http` only to a loopback address such as `127.0.0.1`. Default: `https://gateway.production.netfoundry.io/frontdoor`. Environment: `FRONTDOOR_BASE_URL`. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** Id of the front door of resources that name none. Environment: `FRONTDOOR_ID`. */
  frontdoorId?: pulumi.Input<string | undefined>;
  /** Access token. The provider sends it as a bearer token, or by HTTP Basic if `username` is set. Environment: `FRONTDOOR_TOKEN`. */
  token?: pulumi.Input<string | undefined>;
  /** User name for HTTP Basic. If it is set, requests carry it with the token, and no bearer token. Environment: `FRONTDOOR_USERNAME`. */
  username?: pulumi.Input<string | undefined>;
  /** Address from which OAuth2 client credentials fetch tokens, with `clientId` and `clientSecret`. Environment: `FRONTDOOR_TOKEN_URL`. */
  tokenUrl?: pulumi.Input<string | undefined>;
  /** OAuth2 client id. Environment: `FRONTDOOR_CLIENT_ID`. */
  clientId?: pulumi.Input<string | undefined>;
  /** OAuth2 client secret. Environment: `FRONTDOOR_CLIENT_SECRET`. */
  clientSecret?: pulumi.Input<string | undefined>;
  /** OAuth2 audience, if the token URL asks for one. Environment: `FRONTDOOR_AUDIENCE`. */
  audience?: pulumi.Input<string | undefined>;
  /** OAuth2 scope, if the token URL asks for one. Environment: `FRONTDOOR_SCOPE`. */
  scope?: pulumi.Input<string | undefined>;
  /** Form of a token request: `json`, a JSON body (default), or `form`, a form with HTTP Basic. Environment: `FRONTDOOR_TOKEN_REQUEST`. */
  tokenRequest?: pulumi.Input<"json" | "form" | undefined>;
  /** Seconds for one HTTP request, at most 3,600; default 30. Environment: `FRONTDOOR_REQUEST_TIMEOUT`. */
  requestTimeout?: pulumi.Input<number | undefined>;
  /** Ceiling of requests per second, at most 10,000; default 20. Environment: `FRONTDOOR_REQUESTS_PER_SECOND`. */
  requestsPerSecond?: pulumi.Input<number | undefined>;
  /** The identical resources that a create adopts by itself. `interrupted` (default): those that an interrupted run of this stack created. `alike`: any with a derived name. `never`: none. Environment: `FRONTDOOR_TAKE_OVER`. */
  takeOver?: pulumi.Input<"interrupted" | "alike" | "never" | undefined>;
}

/** The names of the secret arguments. */
export const secretSettings = ["token", "clientSecret"];
