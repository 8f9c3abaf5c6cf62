import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Check, notChecked, ok, wrong } from "./check";

const longestMs = 10_000;

/** Checks the service's name, port and certificate, in this order. A problem ends the checks. */
export async function checkNetwork(baseUrl: string): Promise<Check[]> {
  const { protocol, hostname, port: written } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isTls = protocol === "https:";
  const port = written === "" ? (isTls ? 443 : 80) : Number(written);
  const proxies = isTls ? proxyVariables() : [];
  if (proxies.some(([, address]) => !isProxyAddress(address)))
    return [wrong("address", "the environment names a proxy whose address is invalid", proxyRemedy)];
  if (proxies[0]) return [notChecked("address", `${host}:${port} is reached through a proxy (${proxies[0][0]})`)];
  const address = await named(host);
  if (address.state === "wrong") return [address];
  const reached = await connected(host, port);
  if (reached.state === "wrong" || !isTls) return [reached];
  return [reached, await secured(host, port)];
}

const proxyRemedy = "set HTTPS_PROXY and HTTP_PROXY to http or https addresses [proxy-invalid]";

/** The variables that name the proxy of https addresses, in the order that the provider's requests follow. */
const proxyVariables = (): [name: string, address: string][] =>
  ["HTTPS_PROXY", "HTTP_PROXY"]
    .map((name): [string, string] => [name, process.env[name.toLowerCase()] ?? process.env[name] ?? ""])
    .filter(([, address]) => address !== "");

const isProxyAddress = (address: string): boolean =>
  URL.canParse(address) && /^(https?|socks5?):$/.test(new URL(address).protocol);

async function named(host: string): Promise<Check> {
  try {
    const { address } = await lookup(host);
    return ok("address", `${host} is ${address}`);
  } catch (error) {
    return wrong(
      "address",
      `the name ${host} is not known (${codeOf(error)})`,
      "check the host in frontdoor:baseUrl [unreachable]",
    );
  }
}

async function connected(host: string, port: number): Promise<Check> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(longestMs) });
    return ok("address", `${host}:${port} takes connections`);
  } catch (error) {
    const code = codeOf(error);
    return code === "ECONNREFUSED"
      ? wrong(
          "address",
          `nothing listens on ${host}:${port} (${code})`,
          "check host and port of frontdoor:baseUrl [unreachable]",
        )
      : wrong(
          "address",
          `no connection to ${host}:${port} (${code})`,
          "check the firewall and the VPN on the way [unreachable]",
        );
  } finally {
    socket.destroy();
  }
}

async function secured(host: string, port: number): Promise<Check> {
  const socket = connectTls({ host, port, ...(/[a-z]/i.test(host) && { servername: host }) });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(longestMs) });
    const { valid_to: until, issuer } = socket.getPeerCertificate();
    return ok("TLS", `the certificate is trusted (${[issuer.CN].flat().join(", ")}), until ${until}`);
  } catch (error) {
    const code = codeOf(error);
    if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|EPROTO|HTTP_REQUEST/.test(code))
      return wrong(
        "TLS",
        `${host}:${port} does not speak TLS (${code}): it is a plain http port`,
        "name the https port in frontdoor:baseUrl [no-tls]",
      );
    if (code === "CERT_HAS_EXPIRED")
      return wrong(
        "TLS",
        "the server's certificate has expired",
        "have the certificate renewed [certificate-not-trusted]",
      );
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
      return wrong(
        "TLS",
        `the server's certificate does not name ${host}`,
        "set frontdoor:baseUrl to the host that the certificate names [certificate-not-trusted]",
      );
    return wrong(
      "TLS",
      `the server's certificate is not trusted (${code})`,
      "if its authority is your own, name that authority's file in NODE_EXTRA_CA_CERTS [certificate-not-trusted]",
    );
  } finally {
    socket.destroy();
  }
}

function codeOf(error: unknown): string {
  if ((error as Error).name === "AbortError") return `no answer within ${longestMs / 1000} s`;
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? "connection lost";
}
