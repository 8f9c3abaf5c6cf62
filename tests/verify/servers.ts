import { type Run, check } from "../../cli/verify/verify";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { readConfig } from "../../provider/config";
import type { Send } from "../../provider/http/send";
import { VirtualClock } from "../harness/virtual-clock";

/** A server in this process: answers a request, or nothing if the connection is cut. */
export interface Served {
  answer: (request: Request) => Promise<Response | undefined>;
  advance: (ms: number) => void;
}

const baseUrl = "http://127.0.0.1:1/frontdoor";

/** Returns a run of `verify` against a server in this process, in virtual time. */
export function runOn(served: Served, more: Partial<Run> & { hoursLater?: number } = {}, frontdoorId = "fd-1"): Run {
  const given: Record<string, string> = { baseUrl, frontdoorId, token: "emulator-token", requestsPerSecond: "1000" };
  const clock = new VirtualClock(served.advance);
  clock.setBack(-(more.hoursLater ?? 0) * 60 * 60_000);
  const send: Send = ({ method, url, headers, body }) =>
    clock.during(async () => {
      const answer = await served.answer(new Request(url, { method, headers, body: body ?? null }));
      if (!answer) throw new Error("the connection was cut");
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
    });
  return {
    config: readConfig((key) => given[key.replace("frontdoor:", "")], {}),
    ...{ frontdoorId, clock, on: {}, say: () => undefined },
    transport: { send, close: () => Promise.resolve() },
    confirm: () => Promise.resolve(true),
    ...more,
  };
}

export const servedBy = (emulator: Emulator): Served => ({
  answer: (request) => emulator.ask(request),
  advance: (ms) => {
    emulator.clock.advance(ms);
  },
});

/** An emulator with two tunnels, one of them without a location, and two shares. */
export async function peopled(settings: Partial<Settings> = {}): Promise<Emulator> {
  const emulator = await startEmulator({ frozenAtMs: Date.now(), ...settings });
  emulator.seedTunnel({ id: "tnl-a", name: "branch", locationId: "loc-a" });
  emulator.seedTunnel({ id: "tnl-b", name: "alone", locationId: null });
  emulator.seedShare({ id: "shr-a", name: "web", ipsecTunnelId: "tnl-a", envZId: "env-1", ingressPort: 443 });
  emulator.seedShare({ id: "shr-b", name: "api", ipsecTunnelId: "tnl-a", envZId: "env-1", ingressPort: 8443 });
  return emulator;
}

/** Checks an emulator with all writes: on an existing tunnel, and on one of its own. The first finding of a row counts. */
export async function checkAll(emulator: Emulator) {
  const { frontdoorId } = emulator;
  const onTunnel = await check(runOn(servedBy(emulator), { on: { tunnel: "tnl-a" } }, frontdoorId));
  const onLocation = await check(runOn(servedBy(emulator), { on: { location: "loc-x" } }, frontdoorId));
  return {
    findings: { ...onLocation.findings, ...onTunnel.findings },
    ended: onTunnel.ended ?? onLocation.ended,
    left: [...onTunnel.left, ...onLocation.left],
  };
}

/** An emulator whose answers lag, which counts what is made and can be made to fail. */
export async function watched() {
  const lag = { readLagMs: 400, listLagMs: 900, provisionMs: 3_000, teardownMs: 1_500 };
  const emulator = await peopled(lag);
  const service = {
    ...servedBy(emulator),
    emulator,
    /** The number of next requests that are answered by 502. */
    failing: 0,
    /** Called before the answer of a POST that made something, with how many there were. */
    onMade: (_count: number): void => undefined,
    /** The entry that the answer of a POST names instead of the new one. */
    answersWith: undefined as string | undefined,
    requests: [] as string[],
    /** What `verify` has made and not deleted. */
    get extra(): string[] {
      const left = [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");
      return left.flatMap(({ name }) => (name.startsWith("verify-") ? name : []));
    },
  };
  let made = 0;
  service.answer = async (request) => {
    service.requests.push(`${request.method} ${new URL(request.url).pathname}`);
    if (service.failing > 0) {
      service.failing -= 1;
      return new Response("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } });
    }
    const answer = await emulator.ask(request);
    if (request.method !== "POST" || !answer?.ok) return answer;
    made += 1;
    service.onMade(made);
    const body = (await answer.json()) as object;
    return Response.json(service.answersWith === undefined ? body : { ...body, id: service.answersWith }, answer);
  };
  return service;
}
