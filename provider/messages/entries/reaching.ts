import type { Entry } from "../entry";

export const reaching: readonly Entry[] = [
  {
    code: "unreachable",
    meaning: "The provider reached nothing at the address.",
    cause: "The host name is unknown, the port is closed, or a firewall is in between.",
    remedies: [
      "On a loopback address, start the emulator: `npx frontdoor emulator`.",
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
