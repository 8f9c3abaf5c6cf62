import { isLoopback, isSafeAddress } from "../config";
import { FrontdoorError } from "../errors";

/** An error that comes before a request is sent: its codes, and the message about it. The first row that matches counts. */
interface Cause {
  codes: RegExp;
  problem: (host: string) => string;
  /** The action, with the code of the message. */
  action: (setting: string, host: string) => string;
}

const causes: Cause[] = [
  {
    codes: /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))$/,
    problem: (host) => `${host} speaks no TLS at this port`,
    action: (setting, host) =>
      isSafeAddress(new URL(`http://${host}`))
        ? `Write http:// instead of https:// in ${setting}. [no-tls]`
        : `Check the port in ${setting}. [no-tls]`,
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    problem: (host) => `the TLS certificate of ${host} is not trusted, because it has expired`,
    action: () => "Have the certificate renewed. [certificate-not-trusted]",
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    problem: (host) => `the TLS certificate is not trusted, because it does not name ${host}`,
    action: (setting) => `Check the host in ${setting}. [certificate-not-trusted]`,
  },
  {
    codes: /^(ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/,
    problem: (host) => `the TLS certificate of ${host} is not trusted`,
    action: () =>
      "If its authority is your own, name that authority's file in NODE_EXTRA_CA_CERTS. [certificate-not-trusted]",
  },
  {
    codes: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/,
    problem: (host) => `nothing was reached at ${host}`,
    action: (setting) => `Check the address in ${setting}. [unreachable]`,
  },
];

/** The message about any other error: the request can have arrived. */
const lost: Omit<Cause, "codes"> = {
  problem: (host) => `the connection to ${host} ended before the answer`,
  action: () => "Try again later. [connection-lost]",
};

/** The emulator's own choice of a port. */
const emulatorPort = "8480";

/** Only the emulator, or a tunnel of the user's own, has a loopback address. */
function emulatorOff(host: string): string {
  const port = new URL(`http://${host}`).port || "80";
  const option = port === emulatorPort ? "" : ` --port ${port}`;
  return `Nothing listens at ${host}. Start the emulator: \`npx frontdoor emulator${option}\`. [unreachable]`;
}

/** The request: its name in messages, its server, and the setting that holds the address. */
interface Asked {
  label: string;
  host: string;
  setting: string;
}

/** Returns the error for a request without an answer. `mayHaveRun` is false only if the request cannot have arrived. */
export function unanswered(error: unknown, { label, host, setting }: Asked): FrontdoorError {
  const { cause, errors = [] } = error as { cause?: unknown; errors?: unknown[] };
  const codes = [error, cause, ...errors]
    .map((each) => (each as { code?: unknown } | undefined)?.code)
    .filter((code) => typeof code === "string");
  const found = causes.find((row) => codes.some((code) => row.codes.test(code)));
  if (setting === "frontdoor:baseUrl" && codes.includes("ECONNREFUSED") && isLoopback(host))
    return new FrontdoorError(`${label}: ${emulatorOff(host)}`, {
      ...{ kind: "unreachable", mayHaveRun: false, isLocal: true },
    });
  const { problem, action } = found ?? lost;
  const code = codes[0] === undefined ? "" : ` (${codes[0]})`;
  const message = `${label}: ${problem(host)}${code}. ${action(setting, host)}`;
  return new FrontdoorError(message, { kind: "unreachable", mayHaveRun: found === undefined });
}
