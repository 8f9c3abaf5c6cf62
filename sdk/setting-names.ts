// Generated from provider/config.ts by "npm run docs": change that, not this.
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
