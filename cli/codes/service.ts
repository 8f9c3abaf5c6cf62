import type { Entry } from "./entry";

export const configuring: readonly Entry[] = [
  {
    code: "token-missing",
    meaning: "There are no credentials.",
    cause: "Neither the stack's configuration nor the environment has a token or client credentials.",
    remedies: ["Run `pulumi config set --secret frontdoor:token`, which asks for the token.", "Set `FRONTDOOR_TOKEN`."],
  },
  {
    code: "credentials-twice",
    meaning: "Two credentials are set at one place.",
    cause:
      "The stack's configuration or the environment has two of these: a token, client credentials, a credentials file. Or `NETFOUNDRY_API_ACCOUNT` and the three variables of a client differ.",
    remedies: ["Remove one of the two that the message names."],
  },
  {
    code: "credentials-incomplete",
    meaning: "Client credentials are incomplete.",
    cause:
      "Only one or two of `tokenUrl`, `clientId` and `clientSecret` are set, or of `NETFOUNDRY_OAUTH_URL`, `NETFOUNDRY_CLIENT_ID` and `NETFOUNDRY_PASSWORD`.",
    remedies: ["Set all three."],
  },
  {
    code: "credentials-file",
    meaning: "The provider cannot use the credentials file.",
    cause: "The path is wrong, the file cannot be read, or it lacks `clientId`, `password` or `authenticationUrl`.",
    remedies: ["Correct the path that the message names.", "Download `credentials.json` of the API account again."],
  },
  {
    code: "credentials-file-open",
    meaning: "A warning: other users of this machine can read the credentials file.",
    cause: "The mode of the file gives read rights to its group or to everybody.",
    remedies: ["Run `chmod 600` on the file."],
  },
  {
    code: "invalid-setting",
    meaning: "A setting has a value that it cannot have.",
    cause: "The message lists the right values, and names the variable of the environment.",
    remedies: ["Correct the setting in the stack's configuration or the environment."],
  },
  {
    code: "settings-differ",
    meaning: "A variable of the environment is set, and has no effect.",
    cause:
      "The stack's configuration has another value, and it comes first for the provider, the functions and the command.",
    remedies: [
      "Remove the variable if the stack's configuration is right.",
      "Change the setting in the stack's configuration if the variable is right.",
    ],
  },
  {
    code: "unknown-setting",
    meaning: "The configuration has a setting that does not exist.",
    cause: "Its name is misspelt, or it is a setting of another version.",
    remedies: ["Use the setting that the message names.", "Remove it with `pulumi config rm`."],
  },
  {
    code: "provider-not-plugin",
    meaning: "A function of `pulumi-frontdoor` was given a `provider`.",
    cause: "These functions use the stack's configuration. Only the functions of the plugin can use a `provider`.",
    remedies: ['Import the function from `"pulumi-frontdoor/plugin"`.', "Remove `provider` from the options."],
  },
  {
    code: "front-door-missing",
    meaning: "Nothing names the front door.",
    cause: "Neither the resource, the stack's configuration nor the environment has `frontdoorId`.",
    remedies: [
      "Run `frontdoor ids` to list the ids, and `pulumi config set frontdoor:frontdoorId <id>`.",
      "Set `frontdoorId` in the arguments.",
      "Set `FRONTDOOR_ID`.",
    ],
  },
  {
    code: "not-configured",
    meaning: "The engine has not configured the provider.",
    cause: "The engine called the provider before it configured it, often because the run was ending.",
    remedies: ["Run the command again.", "Run it with `-v=3` for the log of the engine."],
  },
  {
    code: "unknown-type",
    meaning: "The plugin does not have this resource type or function.",
    cause: "The program or the state was made with another version of the plugin.",
    remedies: ["Use the plugin in `dist/plugin` of the package that the program has."],
  },
  {
    code: "configured-twice",
    meaning: "A plugin process got a second, different configuration.",
    cause: "Pulumi configures each plugin process once. Another process of this machine tried to configure it again.",
    remedies: ["Run the command again."],
  },
  {
    code: "other-user",
    meaning: "A process of another user called the plugin.",
    cause:
      "The plugin answers only the user who started it. Several reads of `/proc/net/tcp` over 200 ms have not named that user as the caller.",
    remedies: ["Run the engine and the plugin as the same user.", "Use the dynamic provider, the default import."],
  },
  {
    code: "records-not-kept",
    meaning: "The provider cannot write creation records, and the run continues without them.",
    cause:
      "The folder of the records is read-only, full or not yours. Without records, a later run cannot resume a create.",
    remedies: [
      "Set `FRONTDOOR_STATE_DIR` to a folder that you can write to.",
      "After an interrupted run, adopt the resources that it created.",
    ],
  },
  {
    code: "unsafe-state-folder",
    meaning: "The provider keeps no creation records, because another user could change them.",
    cause: "The folder is a symbolic link, belongs to another user, or other users can write to it.",
    remedies: [
      "Set `FRONTDOOR_STATE_DIR` to a folder that only you can write to.",
      "Run `chmod go-w` on the folder if it is yours.",
    ],
  },
  {
    code: "proxy-invalid",
    meaning: "The environment names a proxy whose address is invalid.",
    cause: "`HTTPS_PROXY` or `HTTP_PROXY` holds no URL, or a URL with a protocol that is not supported.",
    remedies: ["Set `HTTPS_PROXY` and `HTTP_PROXY` to http or https addresses.", "Remove the two variables."],
  },
  {
    code: "policy-settings",
    meaning: "The settings or exceptions of a policy are wrong.",
    cause: "The message names the policy and the setting, or an exception whose resource the stack does not have.",
    remedies: ["Correct the file of `--policy-pack-config`, or the exceptions in the program."],
  },
  {
    code: "unknown-policy",
    meaning: "The configuration of the policy pack names a policy that does not exist.",
    cause: "The name is misspelt, or it is a policy of another version.",
    remedies: ["Use the name of a policy. `frontdoor explain` lists these names among the codes."],
  },
];

export const reaching: readonly Entry[] = [
  {
    code: "unreachable",
    meaning: "The provider reached nothing at the address.",
    cause: "The host name is unknown, the port is closed, or a firewall is in between.",
    remedies: [
      "On a loopback address, start the emulator: `npx frontdoor emulator`. Without `--data` it starts empty: then run `pulumi up --refresh`.",
      "Run `frontdoor doctor`, and check `frontdoor:baseUrl`, or `frontdoor:tokenUrl` if the message names it.",
      "For `refresh` and `destroy` add `--run-program`: otherwise they use the address of the last `up`.",
    ],
  },
  {
    code: "no-tls",
    meaning: "The server speaks no TLS at this port.",
    cause: "The address has `https` and the port of a plain http server.",
    remedies: ["Name the https port in the address.", "On a loopback address, write `http`."],
  },
  {
    code: "certificate-not-trusted",
    meaning: "The TLS certificate of the server is not trusted.",
    cause: "The certificate has expired, is for another name, or its authority is unknown to Node.",
    remedies: [
      "Name the file of your own authority in `NODE_EXTRA_CA_CERTS`.",
      "Check the host in the address.",
      "Have an expired certificate renewed.",
    ],
  },
  {
    code: "not-the-service",
    meaning: "Another server answered, or the path is wrong.",
    cause: "The address leads to a web page or a redirect, or its path contains a version or a front door.",
    remedies: ["Set `frontdoor:baseUrl` to the address of the service, which ends with `/frontdoor`."],
  },
  {
    code: "unusable-answer",
    meaning: "The provider cannot use an answer.",
    cause: "Something in between changes or cuts answers, or the service has another version.",
    remedies: ["Check `frontdoor:baseUrl`.", "Run the command again."],
  },
  {
    code: "token-refused",
    meaning: "The service refuses the token.",
    cause: "The token is wrong or has expired, or the token endpoint gives tokens for another audience.",
    remedies: [
      "Set `frontdoor:token` or `FRONTDOOR_TOKEN`.",
      "After that, run `pulumi up` without `--refresh`, or add `--run-program`: a refresh or destroy uses the token of the last run.",
      "With client credentials, check `frontdoor:audience` and `frontdoor:scope`.",
    ],
  },
  {
    code: "clock-behind",
    meaning: "The clock of this machine differs from the clock of the service.",
    cause: "The service refused the token, and the clocks differ by more than a minute.",
    remedies: ["Set the clock of this machine."],
  },
  {
    code: "not-found-front-door",
    meaning: "This front door was not found for this token.",
    cause: "The id is wrong, the token does not open the front door, or the front door has no IPsec shares.",
    remedies: [
      "Check `frontdoor:frontdoorId`.",
      "Check `frontdoor:token`, or the access of `frontdoor:clientId`.",
      "Ask the account manager whether IPsec shares are enabled.",
    ],
  },
  {
    code: "access-refused",
    meaning: "The service does not grant access to this token.",
    cause: "The token, or the client of the token endpoint, lacks a right.",
    remedies: ["Use a token with access to the front door."],
  },
  {
    code: "not-a-token",
    meaning: "The token endpoint did not answer with a token.",
    cause: "`frontdoor:tokenUrl` leads to another server, or the endpoint redirects.",
    remedies: [
      "Check `frontdoor:tokenUrl`.",
      "Set `frontdoor:tokenRequest` to `form` if the endpoint asks for a form.",
    ],
  },
  {
    code: "client-refused",
    meaning: "The token endpoint refuses the client credentials.",
    cause: "The client's id, its secret, the audience, the scope or the form of the request is wrong.",
    remedies: [
      "Check the client in the configuration, the variables or the file that the message names.",
      "Set `frontdoor:tokenRequest` to `form` or to `json`, as the endpoint wants.",
      "Check `frontdoor:audience` and `frontdoor:scope`.",
    ],
  },
];

export const calling: readonly Entry[] = [
  {
    code: "service-trouble",
    meaning: "The service, or the token endpoint, answers with an error of its own.",
    cause: "The service or a gateway has trouble for now. The provider has already retried if that is safe.",
    remedies: ["Try again later."],
  },
  {
    code: "no-answer",
    meaning: "The service did not answer in time.",
    cause: "The service took longer than `frontdoor:requestTimeout`.",
    remedies: ["Try again later.", "Raise `frontdoor:requestTimeout`."],
  },
  {
    code: "connection-lost",
    meaning: "The connection ended before the answer.",
    cause: "The network or a proxy closed the connection.",
    remedies: ["Try again later.", "Run `frontdoor doctor` if it happens again."],
  },
  {
    code: "too-many-requests",
    meaning: "The service refuses more requests for now.",
    cause: "The service limits requests, and other programs can use up the limit.",
    remedies: ["Try again later.", "Lower `frontdoor:requestsPerSecond`."],
  },
  {
    code: "long-pause",
    meaning: "The service asks for a pause beyond the deadline.",
    cause: "The service limits requests (`Retry-After`).",
    remedies: ["Try again later.", "Raise `customTimeouts`.", "Lower `frontdoor:requestsPerSecond`."],
  },
  {
    code: "token-late",
    meaning: "The token endpoint gave no token before the deadline.",
    cause: "The token endpoint is slow or down.",
    remedies: ["Try again later.", "Check `frontdoor:tokenUrl`."],
  },
  {
    code: "stopped",
    meaning: "The run was interrupted during a request or a wait.",
    cause: "Someone cancelled the run, or Pulumi ended it after another error.",
    remedies: ["Run the command again: it resumes what the run began."],
  },
  {
    code: "refused",
    meaning: "The service refuses a request.",
    cause: "The message holds the words of the service.",
    remedies: ["Correct the request as the message says.", "Try again later if another operation was under way."],
  },
  {
    code: "invalid-id",
    meaning: "An id has characters that an id cannot have.",
    cause: "The provider puts ids into addresses. This id, from the program, the state or the service, does not fit.",
    remedies: ["Correct the id.", "Correct an id in a state with `pulumi stack export` and `pulumi stack import`."],
  },
];
