import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Finds C0, C1, zero-width characters, direction controls and the separators that break a line, but no newlines and tabs. */
export const raw = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/; // eslint-disable-line no-control-regex

const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
/** A text that a reader can find by "evil", and that would clear, rename and colour the terminal; with each such character. */
export const hostile = `evil\x1b[31m\x1b[2J\x1b]0;title\x07\x9b31m\t\n${characters.filter((each) => raw.test(each)).join("")}end`;

const place = { frontdoorId: "fd-1", locationId: hostile };
const tunnel = { id: "tnl-1", name: hostile, status: "DEPLOYED", peerPublicIp: hostile, peerCidr: hostile, ...place };
const sharesOfTunnel = { ipsecTunnelId: "tnl-1", envZId: hostile, target: hostile, ingressPort: 443 };
const share = { id: "shr-1", name: hostile, ...sharesOfTunnel, ...place };
const load = { nlbPrivateIp: hostile, nlbDnsName: hostile, vpnConnectionId: hostile };
const config = {
  state: hostile,
  tunnels: [{ status: hostile, statusMessage: hostile, outsideIpAddress: hostile, ikeVersions: [hostile] }],
};
const times = [1, 2, 3].map((day) => `2026-01-0${day}T00:00:00Z`);
const points = times.map((timestamp, value) => ({ timestamp, value }));
const series = { series: [{ name: hostile, unit: hostile, points }], [hostile]: times.map((time) => [time, 1]) };
const token = "a-token-of-the-hostile-service";
/** The token with a hidden character in it, as the service repeats the token. */
const splitToken = `${token.slice(0, 9)}\u00ad${token.slice(9)}`;
const sampleConfig = `first\tline\r\nkey ${hostile}\ntoken ${splitToken}\nlast\n`;

/** The service answers, refuses, or lists an entry that has not the shape of one. */
export type Mood = "answers" | "refuses" | "lists oddly";

const list = (content: object[]) => ({ content, totalElements: content.length, totalPages: 1 });

/** The body for the path below the front door; a share's status changes with each look. */
function bodyFor(path: string, mood: Mood, look: number): object | string | undefined {
  const status = look % 2 === 0 ? `NEW ${hostile}` : hostile;
  const odd = mood === "lists oddly" ? [{ id: hostile, name: hostile }] : [];
  const bodies: Record<string, object | string> = {
    "/ipsec-tunnels": list([tunnel, ...odd]),
    "/ipsec-tunnels/tnl-1": { ...tunnel, ...load },
    "/ipsec-tunnels/tnl-1/tunnel-config": config,
    "/ipsec-tunnels/tnl-1/metrics": series,
    "/ipsec-tunnels/tnl-1/sample-config": sampleConfig,
    "/ipsec-shares": list([{ ...share, status }, ...odd]),
    "/ipsec-shares/shr-1": { ...share, status },
    "/ipsec-shares/shr-1/metrics": { [hostile]: hostile },
  };
  return bodies[path];
}

function answer(response: ServerResponse, status: number, body: object | string): void {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json" });
  response.end(isText ? body : JSON.stringify(body));
}

/** Starts a service that puts the hostile text into every text that it answers. */
export async function startHostileService() {
  const service = { mood: "answers" as Mood };
  let looks = 0;
  const server = createServer(({ url = "" }, response) => {
    const path = new URL(url, "http://localhost").pathname.replace("/frontdoor/v2/fd-1", "");
    if (path === "/ipsec-shares") looks += 1;
    const body = bodyFor(path, service.mood, looks);
    if (service.mood === "refuses") answer(response, 400, { error: hostile, message: hostile });
    else if (body === undefined) answer(response, 404, { error: "not_found", message: hostile });
    else answer(response, 200, body);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/frontdoor`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(service, { baseUrl, frontdoorId: "fd-1", token, sampleConfig, close });
}

export type HostileService = Awaited<ReturnType<typeof startHostileService>>;
