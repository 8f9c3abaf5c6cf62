import type { Entry } from "./entry";

export const configuring: readonly Entry[] = [
  {
    code: "token-missing",
    meaning: "There are no credentials.",
    cause: "The stack's configuration and the environment have none.",
    remedies: [
      "Run `pulumi config set frontdoor:credentialsFile <absolute path>`.",
      "In CI, set the `NETFOUNDRY_…` variables, or `FRONTDOOR_TOKEN`.",
      "Select the stack: `pulumi stack select`.",
    ],
  },
  {
    code: "credentials-twice",
    meaning: "Two kinds of credentials are set in one place.",
    cause:
      "The stack's configuration, or the environment, sets two of these: a token, client credentials, a credentials file.",
    remedies: ["Remove one of those that the message names."],
  },
  {
    code: "credentials-incomplete",
    meaning: "Client credentials are incomplete.",
    cause:
      "One or more of `tokenUrl`, `clientId`, `clientSecret` (or `NETFOUNDRY_OAUTH_URL`, `NETFOUNDRY_CLIENT_ID`, `NETFOUNDRY_PASSWORD`) are missing.",
    remedies: ["Set all three."],
  },
  {
    code: "credentials-file",
    meaning: "The provider cannot use the credentials file.",
    cause: "It isn't readable, or lacks `clientId`, `password` or `authenticationUrl`.",
    remedies: ["Correct the path.", "Download the API account's `credentials.json` again."],
  },
  {
    code: "credentials-file-open",
    meaning: "Other users of this machine can read the credentials file (a warning).",
    cause: "Its file mode lets other users read it.",
    remedies: ["Run `chmod 600` on it."],
  },
  {
    code: "invalid-setting",
    meaning: "The value of a setting isn't valid.",
    cause: "The message says which values are valid.",
    remedies: ["Correct it in the stack's configuration or the environment."],
  },
  {
    code: "take-over-in-stack",
    meaning: "`takeOver` is in a stack's configuration.",
    cause: "Each run would adopt identical resources, also those of another stack.",
    remedies: ["Remove it. For the one run that needs it, set `FRONTDOOR_TAKE_OVER=alike`."],
  },
  {
    code: "unknown-setting",
    meaning: "The configuration has an unknown setting.",
    cause: "It is misspelled, or from another version.",
    remedies: ["Use the setting that the message names.", "Remove it with `pulumi config rm`."],
  },
  {
    code: "provider-not-plugin",
    meaning: "A class or function of `pulumi-frontdoor` was given a `Provider`.",
    cause: "Only classes and functions from `pulumi-frontdoor/plugin` accept one.",
    remedies: ['Import it from `"pulumi-frontdoor/plugin"`.', "Remove `provider`."],
  },
  {
    code: "front-door-missing",
    meaning: "Nothing names the front door.",
    cause: "The resource, the stack and the environment have no `frontdoorId`.",
    remedies: [
      "Run `npx pulumi-frontdoor ids`, then `pulumi config set frontdoor:frontdoorId <id>`.",
      "Set the argument `frontdoorId`.",
      "Set `FRONTDOOR_ID`.",
    ],
  },
  {
    code: "front-door-differs",
    meaning: "`FRONTDOOR_ID` differs from the front door in the state.",
    cause: "A variable never moves a resource.",
    remedies: [
      "Run `pulumi config set frontdoor:frontdoorId <id>` with the id in the state.",
      "To move the resources, set another id.",
    ],
  },
  {
    code: "not-configured",
    meaning: "Pulumi has not configured the provider.",
    cause: "Pulumi called it too early, which can happen when a run is shutting down.",
    remedies: ["Run the command again.", "If it happens again, report the message."],
  },
  {
    code: "unknown-type",
    meaning: "The plugin doesn't have this resource type or function.",
    cause: "The program or state is from another plugin version.",
    remedies: ["Use `dist/plugin` of the program's package."],
  },
  {
    code: "configured-twice",
    meaning: "A plugin process got a second, different configuration.",
    cause: "Pulumi configures each plugin process once. Something else on this machine tried to configure it again.",
    remedies: ["Run the command again."],
  },
  {
    code: "records-not-kept",
    meaning: "The provider cannot write creation records, and the run continues without them.",
    cause: "The folder is read-only, full or not yours.",
    remedies: ["Set `FRONTDOOR_STATE_DIR` to a writable folder.", "After an interrupted run, adopt what it created."],
  },
  {
    code: "log-not-written",
    meaning: "The provider or the command cannot write the request log, and the run continues without it.",
    cause: "The folder does not exist or is not yours, or the path is that of a folder.",
    remedies: ["Set `FRONTDOOR_LOG` to a file in a folder that you can write to."],
  },
  {
    code: "proxy-invalid",
    meaning: "The URL of the proxy is invalid.",
    cause: "`HTTPS_PROXY` or `HTTP_PROXY` isn't an http or https URL.",
    remedies: ["Correct the variable.", "Remove both variables."],
  },
  {
    code: "policy-settings",
    meaning: "A policy's settings or exceptions are wrong.",
    cause: "A value isn't valid, or an exception is for a resource that the stack lacks.",
    remedies: ["Correct the `--policy-pack-config` file, or the program's exceptions."],
  },
  {
    code: "policy-sdk-missing",
    meaning: "The policy pack can't find Pulumi's SDK for policies.",
    cause: "`@pulumi/policy` is an optional peer dependency of this package, so npm does not install it by itself.",
    remedies: [
      "In the folder of your program, run the command of the message.",
      "If the pack's folder is a copy by itself, run `npm install` in that folder.",
    ],
  },
  {
    code: "unknown-policy",
    meaning: "The policy pack's configuration names an unknown policy.",
    cause: "It is misspelled, or from another version.",
    remedies: ["Use a name that `npx pulumi-frontdoor explain` lists."],
  },
];

export const reaching: readonly Entry[] = [
  {
    code: "unreachable",
    meaning: "Nothing answers at the URL.",
    cause: "The URL is wrong, or a firewall blocks it.",
    remedies: [
      "Check `frontdoor:baseUrl` or `frontdoor:tokenUrl` with `npx pulumi-frontdoor doctor`.",
      "On a loopback address, start the emulator.",
      "If `refresh` or `destroy` still uses a previous URL, add `--run-program`.",
    ],
  },
  {
    code: "no-tls",
    meaning: "The server doesn't speak TLS on this port.",
    cause: "The URL combines `https` with a plain http port.",
    remedies: ["Use the https port.", "On a loopback address, write `http`."],
  },
  {
    code: "certificate-not-trusted",
    meaning: "The TLS certificate of the server is not trusted.",
    cause: "It has expired, is for another name, or is from a CA that Node doesn't know.",
    remedies: ["Set `NODE_EXTRA_CA_CERTS` to the certificate file of your CA.", "Check the host in the URL."],
  },
  {
    code: "tls-failed",
    meaning: "The TLS handshake failed.",
    cause: "The server needs an old TLS version or a client certificate.",
    remedies: ["Check host and port.", "Configure the server to accept TLS 1.2 without a client certificate."],
  },
  {
    code: "not-the-service",
    meaning: "Another server answered, or the path is wrong.",
    cause: "The URL leads to a web page or redirect, or contains a version or front door.",
    remedies: ["Set `frontdoor:baseUrl` to Frontdoor's URL, which ends with `/frontdoor`."],
  },
  {
    code: "unusable-answer",
    meaning: "The response isn't valid JSON, or required fields are missing.",
    cause: "A proxy changed it, or `frontdoor:baseUrl` points to another API version.",
    remedies: ["Check `frontdoor:baseUrl`.", "Run the command again."],
  },
  {
    code: "token-refused",
    meaning: "Frontdoor refuses the token.",
    cause: "It is wrong, expired, or for another audience.",
    remedies: [
      "For a token, set it again, and run `pulumi up --refresh=false`. For an API account, run `npx pulumi-frontdoor doctor`.",
      "With client credentials, check `frontdoor:audience` and `frontdoor:scope`.",
    ],
  },
  {
    code: "limit-reached",
    meaning: "Frontdoor refuses a request because of a quota or limit.",
    cause: "The account has as many resources as it may have.",
    remedies: ["Delete what you no longer need.", "Or ask NetFoundry for a higher limit."],
  },
  {
    code: "token-expired",
    meaning: "The token in the settings has expired (a warning).",
    cause: "Its expiry time is in the past, by this machine's clock.",
    remedies: ["Set a new token where the message says.", "If the token is new, set this machine's clock."],
  },
  {
    code: "clock-behind",
    meaning: "This machine's clock is behind Frontdoor's, or ahead of it.",
    cause: "They differ by over a minute, so Frontdoor refuses the token.",
    remedies: ["Set this machine's clock."],
  },
  {
    code: "not-found-front-door",
    meaning: "Frontdoor has no such front door for this token.",
    cause: "The id is wrong, the token is for another front door, or IPsec shares aren't enabled.",
    remedies: [
      "Check `frontdoor:frontdoorId` with `npx pulumi-frontdoor ids`.",
      "Ask NetFoundry if IPsec shares are enabled.",
    ],
  },
  {
    code: "access-refused",
    meaning: "The token gives no access.",
    cause: "The token, or its client, doesn't have a required permission.",
    remedies: ["Use a token with access to the front door.", "For `up` and `destroy`, use one that can also write."],
  },
  {
    code: "not-a-token",
    meaning: "The response of the token endpoint has no token.",
    cause: "`frontdoor:tokenUrl` leads elsewhere, or redirects.",
    remedies: [
      "Check `frontdoor:tokenUrl`.",
      "If the endpoint asks for a form, set `frontdoor:tokenRequest` to `form`.",
    ],
  },
  {
    code: "client-refused",
    meaning: "The token endpoint refuses the client credentials.",
    cause: "Their id, secret, audience, scope or request format is wrong.",
    remedies: [
      "Check the client that the message names.",
      "Set `frontdoor:tokenRequest` to `form` or `json`.",
      "Check `frontdoor:audience` and `frontdoor:scope`.",
    ],
  },
];

export const calling: readonly Entry[] = [
  {
    code: "service-trouble",
    meaning: "Frontdoor or the token endpoint has an internal error.",
    cause: "It still returned 5xx after retries.",
    remedies: [
      "Run `pulumi up` again: it reads from Frontdoor before it repeats a write.",
      "If it happens again, set `FRONTDOOR_LOG` to a file, and send NetFoundry the trace ids in it.",
    ],
  },
  {
    code: "no-answer",
    meaning: "Frontdoor did not answer in time.",
    cause: "It took longer than `frontdoor:requestTimeout`.",
    remedies: [
      "Run `pulumi up` again: it reads from Frontdoor before it repeats a write.",
      "Raise `frontdoor:requestTimeout`.",
    ],
  },
  {
    code: "connection-lost",
    meaning: "The connection ended before the response.",
    cause: "The network or a proxy closed it.",
    remedies: [
      "Run `pulumi up` again: it reads from Frontdoor before it repeats a write.",
      "If it happens again, run `npx pulumi-frontdoor doctor`. `FRONTDOOR_LOG` logs each request to a file.",
    ],
  },
  {
    code: "too-many-requests",
    meaning: "Frontdoor is rate-limiting requests.",
    cause: "This program, or others, reached the limit.",
    remedies: ["Try again later.", "Lower `frontdoor:requestsPerSecond`."],
  },
  {
    code: "long-pause",
    meaning: "Frontdoor asks for a pause (`Retry-After`) that ends after the deadline.",
    cause: "Frontdoor is rate-limiting requests.",
    remedies: ["Try again later.", "Raise `customTimeouts`.", "Lower `frontdoor:requestsPerSecond`."],
  },
  {
    code: "not-sent",
    meaning: "The deadline passed while a request was still queued.",
    cause: "The run had too many requests ahead of it.",
    remedies: ["Run the command again.", "Raise `customTimeouts`."],
  },
  {
    code: "token-retried",
    meaning: "A token request has failed, and the provider sends it again.",
    cause: "The token endpoint is down, or the network is.",
    remedies: [
      "Wait: an error follows if the tries fail.",
      "Check `frontdoor:tokenUrl` or the file of the API account.",
    ],
  },
  {
    code: "token-late",
    meaning: "The token endpoint returned no token before the deadline.",
    cause: "It is slow or down.",
    remedies: ["Try again later.", "Check `frontdoor:tokenUrl`."],
  },
  {
    code: "stopped",
    meaning: "The run was interrupted during a request or a wait.",
    cause: "Someone canceled it, or Pulumi ended it after another error.",
    remedies: ["Run the command again: it resumes what the run began."],
  },
  {
    code: "refused",
    meaning: "Frontdoor refuses a request.",
    cause: "The message quotes Frontdoor's reason.",
    remedies: [
      "Correct the arguments. `npx pulumi-frontdoor ids` lists each environment's `envZId`.",
      "If the message names a resource that is gone, check `frontdoor:baseUrl`, then run `pulumi up --refresh`.",
      "To see each request with its answer's status, set `FRONTDOOR_LOG` to a file.",
    ],
  },
  {
    code: "invalid-id",
    meaning: "An id contains an invalid character.",
    cause: "It would break the request's URL.",
    remedies: ["Correct it in the program.", "Correct it in the state with `pulumi stack export` and `import`."],
  },
];
