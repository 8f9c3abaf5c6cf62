import type { Entry } from "./entry";

export const configuring: readonly Entry[] = [
  {
    code: "token-missing",
    says: "There are no credentials: frontdoor:token is missing.",
    meaning: "There are no credentials.",
    cause: "The stack's configuration and the environment have none.",
    remedies: [
      ["you work on your machine", "run `pulumi config set frontdoor:credentialsFile <absolute path>`"],
      ["the run is in CI", "set the `NETFOUNDRY_…` variables of an API account"],
      ["it is a preview without an account", "set `FRONTDOOR_TOKEN=none`"],
      ["another stack has the settings", "select it with `pulumi stack select`"],
    ],
  },
  {
    code: "credentials-twice",
    says: "… and … are both set, and hold different credentials.",
    meaning: "Two kinds of credentials are set in one place.",
    cause:
      "The stack's configuration, or the environment, sets two of these: a token, client credentials, a credentials file.",
    remedies: ["Remove one of those that the message names."],
  },
  {
    code: "credentials-incomplete",
    says: "… is set without a token in the same place.",
    meaning: "Client credentials are incomplete.",
    cause:
      "One or more of `tokenUrl`, `clientId`, `clientSecret` (or `NETFOUNDRY_OAUTH_URL`, `NETFOUNDRY_CLIENT_ID`, `NETFOUNDRY_PASSWORD`) are missing.",
    remedies: ["Set all three."],
  },
  {
    code: "credentials-file",
    says: "…. Nothing was sent. …",
    meaning: "The provider cannot use the credentials file.",
    cause: "It isn't readable, or lacks `clientId`, `password` or `authenticationUrl`.",
    remedies: [
      ["the path is wrong", "correct it"],
      ["the file lacks a field", "download the `credentials.json` of the API account again"],
    ],
  },
  {
    code: "credentials-file-open",
    says: "frontdoor: other users of this machine can read ….",
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
    says: "takeOver in the stack's configuration would let each run adopt resources that another stack may manage.",
    meaning: "`takeOver` is in a stack's configuration.",
    cause: "Each run would adopt identical resources, also those of another stack.",
    remedies: ["Remove it. For the one run that needs it, set `FRONTDOOR_TAKE_OVER=alike`."],
  },
  {
    code: "unknown-setting",
    says: "frontdoor:… is no setting of the provider.",
    meaning: "The configuration has an unknown setting.",
    cause: "It is misspelled, or from another version.",
    remedies: [
      ["the message names a similar setting", "use that one"],
      ["it is of an earlier version", "remove it with `pulumi config rm`"],
    ],
  },
  {
    code: "provider-not-plugin",
    says: "…: the default import cannot use a Provider.",
    meaning: "A class or function of `pulumi-frontdoor` was given a `Provider`.",
    cause: "Only classes and functions from `pulumi-frontdoor/plugin` accept one.",
    remedies: [
      ["you need the `Provider`", "import the class from `pulumi-frontdoor/plugin`"],
      ["you do not need it", "remove `provider`"],
    ],
  },
  {
    code: "front-door-missing",
    says: "is missing in the arguments and in the configuration.",
    meaning: "Nothing names the front door.",
    cause: "The resource, the stack and the environment have no `frontdoorId`.",
    remedies: [
      [
        "all resources are on one front door",
        "run `npx pulumi-frontdoor ids`, then `pulumi config set frontdoor:frontdoorId <id>`",
      ],
      ["this resource is on another one", "set its argument `frontdoorId`"],
      ["you use the command", "set `FRONTDOOR_ID`"],
    ],
  },
  {
    code: "front-door-differs",
    says: "comes from … (…), but the state has this resource on front door ….",
    meaning: "`FRONTDOOR_ID` differs from the front door in the state.",
    cause: "The variable differs from the state, and a variable never moves a resource.",
    remedies: [
      ["the resources should stay", "run `pulumi config set frontdoor:frontdoorId <id>` with the id in the state"],
      ["they should move", "run it with the id of the other front door"],
    ],
  },
  {
    code: "not-configured",
    says: "Pulumi has not configured the provider.",
    meaning: "Pulumi has not configured the provider.",
    cause: "Pulumi called it too early, which can happen when a run is shutting down.",
    remedies: [
      ["it happens once", "run the command again"],
      ["it happens again", "report the message"],
    ],
  },
  {
    code: "unknown-type",
    says: "The frontdoor plugin has no function ….",
    meaning: "The plugin doesn't have this resource type or function.",
    cause: "The program or state is from another plugin version.",
    remedies: ["Use `dist/plugin` of the program's package."],
  },
  {
    code: "configured-twice",
    says: "frontdoor: this provider process already has another configuration.",
    meaning: "A plugin process got a second, different configuration.",
    cause: "Pulumi configures each plugin process once. Something else on this machine tried to configure it again.",
    remedies: ["Run the command again."],
  },
  {
    code: "records-not-kept",
    says: "frontdoor: the provider cannot keep creation records in … (…).",
    meaning: "The provider cannot write creation records, and the run continues without them.",
    cause: "The folder is read-only, full or not yours.",
    remedies: [
      ["the folder is read-only or full", "set `FRONTDOOR_STATE_DIR` to a folder that you can write to"],
      ["a run without records was interrupted", "adopt what it created"],
    ],
  },
  {
    code: "log-not-written",
    says: "frontdoor: the request log … cannot be written (…).",
    meaning: "The provider or the command cannot write the request log, and the run continues without it.",
    cause: "The folder does not exist or is not yours, or the path is that of a folder.",
    remedies: ["Set `FRONTDOOR_LOG` to a file in a folder that you can write to."],
  },
  {
    code: "proxy-invalid",
    says: "the environment names a proxy whose URL is invalid.",
    meaning: "The URL of the proxy is invalid.",
    cause: "`HTTPS_PROXY` or `HTTP_PROXY` isn't an http or https URL.",
    remedies: [
      ["you need the proxy", "correct `HTTPS_PROXY` or `HTTP_PROXY`"],
      ["you do not", "unset both variables"],
    ],
  },
  {
    code: "policy-settings",
    says: 'the exceptions of policy "…" are wrong: ….',
    meaning: "A policy's settings or exceptions are wrong.",
    cause: "A value isn't valid, or an exception is for a resource that the stack lacks.",
    remedies: ["Correct the `--policy-pack-config` file, or the program's exceptions."],
  },
  {
    code: "policy-sdk-missing",
    says: "the policy pack needs @pulumi/policy, which is not installed.",
    meaning: "The policy pack can't find Pulumi's SDK for policies.",
    cause: "`@pulumi/policy` is an optional peer dependency of this package, so npm does not install it by itself.",
    remedies: [
      ["the pack is in `node_modules`", "run the command of the message in the folder of your program"],
      ["the pack's folder is a copy by itself", "run `npm install` in that folder"],
    ],
  },
  {
    code: "unknown-policy",
    says: "the configuration names unknown policies: ….",
    meaning: "The policy pack's configuration names an unknown policy.",
    cause: "It is misspelled, or from another version.",
    remedies: ["Use a name that `npx pulumi-frontdoor explain` lists."],
  },
];

export const reaching: readonly Entry[] = [
  {
    code: "unreachable",
    says: "Check the URL in …. / Nothing listens at …. Start the emulator: …",
    meaning: "Nothing answers at the URL.",
    cause: "The URL is wrong, or a firewall blocks it.",
    remedies: [
      [
        "the URL is of the real Frontdoor",
        "run `npx pulumi-frontdoor doctor`: it checks the URL, the address and the connection",
      ],
      ["it is a loopback address", "start the emulator"],
      ["`refresh` or `destroy` uses an earlier URL", "add `--run-program`"],
    ],
  },
  {
    code: "no-tls",
    says: "Write http:// instead of https:// in ….",
    meaning: "The server doesn't speak TLS on this port.",
    cause: "The URL combines `https` with a plain http port.",
    remedies: [
      ["it is a server on the network", "use its https port"],
      ["it is a loopback address", "write `http`"],
    ],
  },
  {
    code: "certificate-not-trusted",
    says: "… If its authority is your own, name that authority's file in NODE_EXTRA_CA_CERTS.",
    meaning: "The TLS certificate of the server is not trusted.",
    cause: "It has expired, is for another name, or is from a CA that Node doesn't know.",
    remedies: [
      ["your company has its own certificate authority", "set `NODE_EXTRA_CA_CERTS` to the file of its certificate"],
      ["the certificate is for another name", "correct the host in the URL"],
      ["the certificate has expired", "have it renewed"],
    ],
  },
  {
    code: "tls-failed",
    says: "… Let that server accept TLS 1.2 or 1.3 without a client certificate.",
    meaning: "The TLS handshake failed.",
    cause: "The server needs an old TLS version or a client certificate.",
    remedies: [
      ["host or port are wrong", "correct them"],
      ["the server is yours", "let it accept TLS 1.2 without a client certificate"],
    ],
  },
  {
    code: "not-the-service",
    says: "…: another server answered with a web page (…).",
    meaning: "Another server answered, or the path is wrong.",
    cause: "The URL leads to a web page or redirect, or contains a version or front door.",
    remedies: ["Set `frontdoor:baseUrl` to Frontdoor's URL, which ends with `/frontdoor`."],
  },
  {
    code: "unusable-answer",
    says: "…: the response has wrong or missing fields: …",
    meaning: "The response isn't valid JSON, or required fields are missing.",
    cause: "A proxy changed it, or `frontdoor:baseUrl` points to another API version.",
    remedies: [
      ["`frontdoor:baseUrl` is wrong", "correct it"],
      ["it happens once", "run the command again"],
    ],
  },
  {
    code: "token-refused",
    says: "… Set a new token …",
    meaning: "Frontdoor refuses the token.",
    cause: "It is wrong, expired, or for another audience.",
    remedies: [
      ["you set a token", "set a new one, and run `pulumi up --refresh=false`"],
      ["you use an API account", "run `npx pulumi-frontdoor doctor`"],
      ["you use other client credentials", "check `frontdoor:audience` and `frontdoor:scope`"],
    ],
  },
  {
    code: "limit-reached",
    says: "A limit of your account is reached.",
    meaning: "Frontdoor refuses a request because of a quota or limit.",
    cause: "The account has as many resources as it may have.",
    remedies: [
      ["some resources are not needed", "delete them"],
      ["all are needed", "ask NetFoundry for a higher limit"],
    ],
  },
  {
    code: "token-expired",
    says: "frontdoor: the token in … has expired at ….",
    meaning: "The token in the settings has expired (a warning).",
    cause: "Its expiry time is in the past, by this machine's clock.",
    remedies: [
      ["the token is old", "set a new one where the message says"],
      ["the token is new", "set the clock of this machine"],
    ],
  },
  {
    code: "clock-behind",
    says: "This machine's clock is …, so Frontdoor refuses the token.",
    meaning: "This machine's clock is behind Frontdoor's, or ahead of it.",
    cause: "They differ by over a minute, so Frontdoor refuses the token.",
    remedies: ["Set this machine's clock."],
  },
  {
    code: "not-found-front-door",
    says: "This front door was not found for this token.",
    meaning: "Frontdoor has no such front door for this token.",
    cause: "The id is wrong, the token is for another front door, or IPsec shares aren't enabled.",
    remedies: [
      ["the id is wrong", "take it from `npx pulumi-frontdoor ids`"],
      [
        "the id is right",
        "ask NetFoundry if IPsec shares are enabled for this front door, and if the account may use it",
      ],
    ],
  },
  {
    code: "access-refused",
    says: "This token …. Set a … in ….",
    meaning: "The token gives no access.",
    cause: "The token, or its client, doesn't have a required permission.",
    remedies: [
      ["the account is of another front door", "use one with access to this front door"],
      ["only `up` and `destroy` fail", "use an account that can also write"],
    ],
  },
  {
    code: "not-a-token",
    says: "…: the response is not a token, because of a wrong or missing ….",
    meaning: "The response of the token endpoint has no token.",
    cause: "`frontdoor:tokenUrl` leads elsewhere, or redirects.",
    remedies: [
      ["`frontdoor:tokenUrl` is wrong", "correct it"],
      ["the endpoint asks for a form", "set `frontdoor:tokenRequest` to `form`"],
    ],
  },
  {
    code: "client-refused",
    says: "The token endpoint refused the client.",
    meaning: "The token endpoint refuses the client credentials.",
    cause: "Their id, secret, audience, scope or request format is wrong.",
    remedies: [
      ["the id or the secret is wrong", "correct the client that the message names"],
      ["the endpoint wants another format", "set `frontdoor:tokenRequest` to `form` or `json`"],
      ["the endpoint wants an audience or a scope", "set `frontdoor:audience` and `frontdoor:scope`"],
    ],
  },
];

export const calling: readonly Entry[] = [
  {
    code: "service-trouble",
    says: "…. Try again later.",
    meaning: "Frontdoor or the token endpoint has an internal error.",
    cause: "It still returned 5xx after retries.",
    remedies: [
      ["it happens once", "run `pulumi up` again: it reads from Frontdoor before it repeats a write"],
      ["it happens again", "set `FRONTDOOR_LOG` to a file, and send NetFoundry the trace ids in it"],
    ],
  },
  {
    code: "no-answer",
    says: "…: no response within … s.",
    meaning: "Frontdoor did not answer in time.",
    cause: "It took longer than `frontdoor:requestTimeout`.",
    remedies: [
      ["it happens once", "run `pulumi up` again: it reads from Frontdoor before it repeats a write"],
      ["Frontdoor is slow", "raise `frontdoor:requestTimeout`"],
    ],
  },
  {
    code: "connection-lost",
    says: "…. Frontdoor may still have done it. …",
    meaning: "The connection ended before the response.",
    cause: "The network or a proxy closed it.",
    remedies: [
      ["it happens once", "run `pulumi up` again: it reads from Frontdoor before it repeats a write"],
      [
        "it happens again",
        "run `npx pulumi-frontdoor doctor`, and set `FRONTDOOR_LOG` to a file, which logs each request",
      ],
    ],
  },
  {
    code: "too-many-requests",
    says: "Frontdoor refuses more requests for now.",
    meaning: "Frontdoor is rate-limiting requests.",
    cause: "This program, or others, reached the limit.",
    remedies: [
      ["it happens once", "try again later"],
      ["it happens again", "lower `frontdoor:requestsPerSecond`, or run fewer commands at a time"],
    ],
  },
  {
    code: "long-pause",
    says: "…. Nothing was sent. Try again later.",
    meaning: "Frontdoor asks for a pause (`Retry-After`) that ends after the deadline.",
    cause: "Frontdoor is rate-limiting requests.",
    remedies: [
      ["you can wait", "try again after the pause"],
      ["a resource may take longer", "raise `customTimeouts`"],
      ["it happens often", "lower `frontdoor:requestsPerSecond`"],
    ],
  },
  {
    code: "not-sent",
    says: "too many other requests had to be sent before the deadline.",
    meaning: "The deadline passed while a request was still queued.",
    cause: "The run had too many requests ahead of it.",
    remedies: [
      ["it happens once", "run the command again"],
      ["it happens again", "raise `customTimeouts`, or `frontdoor:requestsPerSecond` if Frontdoor allows it"],
    ],
  },
  {
    code: "token-retried",
    says: "…. Nothing was sent to Frontdoor. The provider tries again, up to ten times.",
    meaning: "A token request has failed, and the provider sends it again.",
    cause: "The token endpoint is down, or the network is.",
    remedies: [
      ["the run continues", "do nothing: an error follows if all tries fail"],
      ["an error follows", "check `frontdoor:tokenUrl` or the file of the API account"],
    ],
  },
  {
    code: "token-late",
    says: "…: no token came before the deadline, so nothing was sent to Frontdoor.",
    meaning: "The token endpoint returned no token before the deadline.",
    cause: "It is slow or down.",
    remedies: [
      ["the endpoint is slow now", "try again later"],
      ["`frontdoor:tokenUrl` is wrong", "correct it"],
    ],
  },
  {
    code: "stopped",
    says: "the run was stopped before …",
    meaning: "The run was interrupted during a request or a wait.",
    cause: "Someone canceled it, or Pulumi ended it after another error.",
    remedies: ["Run the command again: it resumes what the run began."],
  },
  {
    code: "refused",
    says: "Frontdoor refused this request.",
    meaning: "Frontdoor refuses a request.",
    cause: "The message quotes Frontdoor's reason.",
    remedies: [
      [
        "Frontdoor's words name an argument",
        "correct it. `npx pulumi-frontdoor ids` lists the `envZId` of each environment",
      ],
      ["they name a resource that is gone", "check `frontdoor:baseUrl`, then run `pulumi up --refresh`"],
      ["they do not help", "set `FRONTDOOR_LOG` to a file, which shows each request with the status of its response"],
    ],
  },
  {
    code: "invalid-id",
    says: "An id must be 1 to 128 letters, digits or characters of `._:~-`.",
    meaning: "An id contains an invalid character.",
    cause: "It would break the request's URL.",
    remedies: [
      ["the program has it", "correct it there"],
      ["the state has it", "correct the state with `pulumi stack export` and `pulumi stack import`"],
    ],
  },
];
