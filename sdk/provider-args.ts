// Generated from provider/config.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Provider: the settings, without `frontdoor:`. Omitted arguments come from the environment. */
export interface ProviderArgs {
  /** URL of Frontdoor. It begins with `https` and ends with `/frontdoor`. Plain `http` is accepted only for a loopback address such as `127.0.0.1`. Default: `https://gateway.production.netfoundry.io/frontdoor`. If you use an API account of `staging` or `sandbox`, the default host has that name instead of `production`. Environment: `FRONTDOOR_BASE_URL`. */
  baseUrl?: pulumi.Input<string | undefined>;
  /** Id of the front door for resources without `frontdoorId`. Environment: `FRONTDOOR_ID`. */
  frontdoorId?: pulumi.Input<string | undefined>;
  /** Access token. The provider sends it as a bearer token, or by HTTP Basic if you set `username`. Environment: `FRONTDOOR_TOKEN`. */
  token?: pulumi.Input<string | undefined>;
  /** User name. If set, requests use HTTP Basic with this user name and `token`. Environment: `FRONTDOOR_USERNAME`. */
  username?: pulumi.Input<string | undefined>;
  /** URL of the token endpoint for OAuth2 client credentials (`clientId` and `clientSecret`). Environment: `FRONTDOOR_TOKEN_URL`. */
  tokenUrl?: pulumi.Input<string | undefined>;
  /** OAuth2 client id. Environment: `FRONTDOOR_CLIENT_ID`. */
  clientId?: pulumi.Input<string | undefined>;
  /** OAuth2 client secret. Environment: `FRONTDOOR_CLIENT_SECRET`. */
  clientSecret?: pulumi.Input<string | undefined>;
  /** Path of the `credentials.json` of an API account, in place of `tokenUrl`, `clientId` and `clientSecret`. The provider reads the file when it runs. A relative path starts at the project folder (or at `main`, if `Pulumi.yaml` sets it). Environment: `FRONTDOOR_CREDENTIALS_FILE`. */
  credentialsFile?: pulumi.Input<string | undefined>;
  /** OAuth2 audience, if the token URL asks for one. Environment: `FRONTDOOR_AUDIENCE`. */
  audience?: pulumi.Input<string | undefined>;
  /** OAuth2 scope, if the token URL asks for one. If its host ends with `.amazoncognito.com`, the default is the scope of NetFoundry's API accounts. Environment: `FRONTDOOR_SCOPE`. */
  scope?: pulumi.Input<string | undefined>;
  /** Format of a token request: `json` for a JSON body, `form` for a form with HTTP Basic. The default is `form` if the host of the token URL ends with `.amazoncognito.com`, otherwise `json`. Environment: `FRONTDOOR_TOKEN_REQUEST`. */
  tokenRequest?: pulumi.Input<"json" | "form" | undefined>;
  /** Timeout of one HTTP request in seconds, at most 3,600. Default: 40. Environment: `FRONTDOOR_REQUEST_TIMEOUT`. */
  requestTimeout?: pulumi.Input<number | undefined>;
  /** Requests per second that one process may send, at most 10,000. Default: 20. Environment: `FRONTDOOR_REQUESTS_PER_SECOND`. */
  requestsPerSecond?: pulumi.Input<number | undefined>;
  /** If `true`, the default, a preview refuses two tunnels of the program at one location. If `false`, it shows a warning, and Frontdoor decides. Environment: `FRONTDOOR_ONE_TUNNEL_PER_LOCATION`. */
  oneTunnelPerLocation?: pulumi.Input<boolean | undefined>;
}

/** The names of the settings, without `frontdoor:`. */
export const settingNames = [
  "baseUrl",
  "frontdoorId",
  "token",
  "username",
  "tokenUrl",
  "clientId",
  "clientSecret",
  "credentialsFile",
  "audience",
  "scope",
  "tokenRequest",
  "requestTimeout",
  "requestsPerSecond",
  "oneTunnelPerLocation",
];

/** The names of the secret settings. */
export const secretSettings = ["token", "clientSecret"];
