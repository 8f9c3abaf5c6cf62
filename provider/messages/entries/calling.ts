import type { Entry } from "../entry";

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
