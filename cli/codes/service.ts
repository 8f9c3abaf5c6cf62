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
      "One source, such as the stack's configuration, has two of: a token, client credentials, a credentials file. Or `NETFOUNDRY_API_ACCOUNT` and the client's variables differ.",
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
    meaning: "The value of a setting isn't valid.",
    cause: "The message lists the values that are, and names the environment variable.",
    remedies: ["Correct the setting in the stack's configuration or the environment."],
  },
  {
    code: "settings-differ",
    meaning: "An environment variable has no effect.",
    cause: "The stack's configuration has another value, and comes first.",
    remedies: ["Remove the variable, or change the setting of the stack."],
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
    cause: "The plugin answers only its own user, and `/proc/net/tcp` named another one.",
    remedies: ["Run the engine and the plugin as the same user.", "Use the dynamic provider."],
  },
  {
    code: "records-not-kept",
    meaning: "The provider cannot write creation records, and the run continues without them.",
    cause: "The folder is read-only, full or not yours.",
    remedies: [
      "Set `FRONTDOOR_STATE_DIR` to a folder that you can write to.",
      "After an interrupted run, adopt what it created.",
    ],
  },
  {
    code: "unsafe-state-folder",
    meaning: "The provider keeps no creation records, because another user could change them.",
    cause: "The folder is a symbolic link, is another user's, or others can write to it.",
    remedies: ["Run `chmod go-w` on it, or set `FRONTDOOR_STATE_DIR` to your own folder."],
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
    meaning: "Nothing answers at the address.",
    cause: "The address is wrong, or a firewall blocks it.",
    remedies: [
      "Check `frontdoor:baseUrl` or `frontdoor:tokenUrl` with `frontdoor doctor`.",
      "On a loopback address, start the emulator.",
      "Add `--run-program` to `refresh` and `destroy`.",
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
    cause: "It has expired, is for another name, or Node doesn't know its authority.",
    remedies: ["Name your own authority's file in `NODE_EXTRA_CA_CERTS`.", "Check the host in the address."],
  },
  {
    code: "not-the-service",
    meaning: "Another server answered, or the path is wrong.",
    cause: "The address leads to a web page or a redirect, or its path contains a version or a front door.",
    remedies: ["Set `frontdoor:baseUrl` to the address of the service, which ends with `/frontdoor`."],
  },
  {
    code: "unusable-answer",
    meaning: "The response isn't valid JSON or lacks required fields.",
    cause: "A proxy may have changed it, or `frontdoor:baseUrl` points to another version of the API.",
    remedies: ["Check `frontdoor:baseUrl`.", "Run the command again."],
  },
  {
    code: "token-refused",
    meaning: "The service refuses the token.",
    cause: "It is wrong, has expired, or is for another audience.",
    remedies: [
      "Set `frontdoor:token` or `FRONTDOOR_TOKEN`, then run `pulumi up` without `--refresh`.",
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
    cause: "The id is wrong, the token doesn't open the front door, or it has no IPsec shares.",
    remedies: [
      "Check `frontdoor:frontdoorId` (`frontdoor ids`) and the credentials.",
      "Ask whether IPsec shares are enabled.",
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
    cause: "The id, secret, audience, scope or form of the request is wrong.",
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
    meaning: "The service, or the token endpoint, answers with an error of its own.",
    cause: "The service or a gateway has trouble for now. Safe retries have failed.",
    remedies: ["Run `pulumi up` again: it checks before it sends another request."],
  },
  {
    code: "no-answer",
    meaning: "The service did not answer in time.",
    cause: "The service took longer than `frontdoor:requestTimeout`.",
    remedies: [
      "Run `pulumi up` again: it checks before it sends another request.",
      "Raise `frontdoor:requestTimeout`.",
    ],
  },
  {
    code: "connection-lost",
    meaning: "The connection ended before the answer.",
    cause: "The network or a proxy closed the connection.",
    remedies: [
      "Run `pulumi up` again: it checks before it sends another request.",
      "Run `frontdoor doctor` if it happens again.",
    ],
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
    remedies: [
      "Correct the request as the message says. `frontdoor ids` lists the `envZId` of each environment.",
      "Try again later if another operation was under way.",
    ],
  },
  {
    code: "invalid-id",
    meaning: "An id contains a character that ids don't have.",
    cause: "Ids become part of addresses.",
    remedies: [
      "Correct the id in the program.",
      "Correct an id in the state with `pulumi stack export` and `pulumi stack import`.",
    ],
  },
];
