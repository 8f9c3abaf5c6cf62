import { readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { devices } from "../../cli/devices/templates";
import { Workspace } from "./command";

/** Finds C0, C1, zero-width characters, direction controls and the separators that break a line, but no newlines and tabs. */
const raw = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/; // eslint-disable-line no-control-regex

const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
/** A text that a reader can find by "evil", and that would clear, rename and colour the terminal; with each such character. */
const hostile = `evil\x1b[31m\x1b[2J\x1b]0;title\x07\x9b31m\t\n${characters.filter((each) => raw.test(each)).join("")}end`;

const inLocation = { frontdoorId: "fd-1", locationId: hostile };
const tunnel = {
  id: "tnl-1",
  name: hostile,
  status: "DEPLOYED",
  peerPublicIp: hostile,
  peerCidr: hostile,
  ...inLocation,
};
const sharesOfTunnel = { ipsecTunnelId: "tnl-1", envZId: hostile, target: hostile, ingressPort: 443 };
const share = { id: "shr-1", name: hostile, ...sharesOfTunnel, ...inLocation };
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
type Mood = "answers" | "refuses" | "lists oddly";

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
async function startHostileService() {
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

type HostileService = Awaited<ReturnType<typeof startHostileService>>;

let service: HostileService;
let workspace: Workspace;

beforeAll(async () => {
  service = await startHostileService();
  workspace = new Workspace(service);
});
afterAll(async () => {
  await service.close();
  workspace.remove();
});

/** Every call that shows texts of the service, by its command; the last one of each in its other ways too. */
const calls: Record<string, string[]> = {
  tunnels: ["tunnels --json", "tunnels"],
  shares: ["shares --json", "shares"],
  tunnel: ["tunnel tnl-1 --json", "tunnel tnl-1"],
  share: ["share shr-1 --json", "share shr-1"],
  "sample-config": ["sample-config tnl-1 --force --json", "sample-config tnl-1 --out -", "sample-config tnl-1 --force"],
  "device-config": [
    ...devices.map((each) => `device-config tnl-1 --device ${each} --force --json`),
    "device-config tnl-1 --device pan-os --out -",
  ],
  metrics: ["metrics shr-1 --json", "metrics tnl-1"],
  watch: ["watch --for 1s --json", "watch --for 1s"],
  ids: ["ids --json", "ids"],
  status: ["status --json", "status"],
  import: [
    ...["ts", "python", "yaml"].map((each) => `import --program ${each} --program-out program.${each}`),
    ...["import --json", "import"],
  ],
};
/** Commands that show no text of the service, or serve and are tried by themselves. */
const others = ["doctor", "dashboard", "emulator", "explain", "completion", "impact", "verify"];

it("each command is tried", async () => {
  const help = await workspace.run(["--help"]);
  const all = [...help.stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name = ""]) => name);
  expect(all.filter((name) => name !== "help" && !others.includes(name)).sort()).toEqual(Object.keys(calls).sort());
});

/** The files that a command has written, which are removed. */
function written(): string[] {
  const names = readdirSync(workspace.folder).filter((name) => statSync(workspace.path(name)).isFile());
  return names.map((name) => {
    const text = readFileSync(workspace.path(name), "utf8");
    rmSync(workspace.path(name));
    return text;
  });
}

/** Runs a command, of which nothing may hold a character that a terminal obeys. */
async function shown(line: string): Promise<string> {
  const { stdout, stderr, text, code } = await workspace.run(line.split(" "));
  const files = written();
  for (const each of [stdout, stderr, text, ...files]) expect([line, raw.exec(each)]).toEqual([line, null]);
  if (line.includes("--json") && code !== 2) expect([line, /[\t\r]/.exec(stdout)]).toEqual([line, null]);
  return text + files.join("");
}

/** The styles of the command's own, and the ends of lines, as a terminal has them. */
const own = /\x1b\[(?:1|2|22|3[1236]|39|0)m|\r+(?=\n)/g; // eslint-disable-line no-control-regex

describe.each(Object.entries(calls))("frontdoor %s", (_name, lines) => {
  it("prints no character that a terminal obeys", async () => {
    service.mood = "answers";
    const texts: string[] = [];
    for (const line of lines) texts.push(await shown(line));
    expect(texts.join("")).toContain("evil");
    const { stdout } = await workspace.onTerminal((lines.at(-1) ?? "").split(" ")).end;
    expect(stdout).not.toContain("evil\x1b");
    expect(raw.exec(stdout.replace(own, ""))).toBeNull();
  });

  it.each<Mood>(["refuses", "lists oddly"])("prints none if the service %s", async (mood) => {
    service.mood = mood;
    await shown(lines[0] ?? "");
  });
});

it.each(["doctor", "verify"])("frontdoor %s prints none of a refusal", async (line) => {
  service.mood = "refuses";
  await shown(line);
});

it.each<Mood>(["answers", "lists oddly"])(
  "pulumi-frontdoor verify says nothing of the texts if the service %s",
  async (mood) => {
    service.mood = mood;
    expect(await shown("verify --json")).not.toContain("evil");
  },
);

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]);
}

it.each<Mood>(["answers", "refuses"])(
  "pulumi-frontdoor dashboard sends none to its page if the service %s",
  async (mood) => {
    service.mood = mood;
    const { says, end, pid } = workspace.start(["dashboard"]);
    let page: string[] = [];
    if (mood === "answers") {
      const [url] = await says(/http:\S+(?=\n)/);
      page = await pageOf(url).finally(() => process.kill(pid, "SIGINT"));
    }
    for (const each of [(await end).text, ...page]) expect(raw.exec(each)).toBeNull();
    if (mood === "answers") expect(page.join("")).toContain("evil");
  },
);

/** Everything that the dashboard sends to its page, and each value in it, which the page shows. */
async function pageOf(url: string): Promise<string[]> {
  const opened = await fetch(url, { redirect: "manual" });
  const headers = { cookie: (opened.headers.get("set-cookie") ?? "").split(";", 1).join("") };
  const ask = async (path: string) => fetch(new URL(`/api/${path}`, url), { headers });
  const places = ["fd-1/tunnels/tnl-1", "fd-1/tunnels/tnl-1/metrics", "fd-1/shares/shr-1/metrics"];
  const documents = await Promise.all(places.map(async (path) => (await ask(path)).text()));
  let events = "";
  for await (const chunk of (await ask("events")).body ?? []) {
    events += Buffer.from(chunk as Uint8Array).toString();
    if (/"connections"|"trouble"/.test(events)) break;
  }
  const parts = [...events.matchAll(/data: ([^\n]*)\n/g)].map(([, part = ""]) => part);
  return [...documents, ...parts].flatMap((text) => [text, ...textsIn(JSON.parse(text))]);
}

it("sample-config redacts a token that hidden characters split", async () => {
  service.mood = "answers";
  const call = ["sample-config", "tnl-1", "--force"];
  for (const { stdout } of [await workspace.run(call), await workspace.onTerminal(call).end]) {
    expect(stdout).not.toContain(service.token);
    expect(stdout).toContain("token [secret]");
  }
});

it.each(["tunnels --json", "tunnel tnl-1 --json", "metrics shr-1 --json", "sample-config tnl-1 --force --json"])(
  "%s keeps the value",
  async (line) => {
    service.mood = "answers";
    const { stdout } = await workspace.run(line.split(" "));
    expect(textsIn(JSON.parse(stdout))).toContain(line.startsWith("sample") ? service.sampleConfig : hostile);
  },
);

it("shares --watch draws no text of the service as it came", async () => {
  service.mood = "answers";
  const { says, stop } = workspace.onTerminal(["shares", "--watch"], {}, true);
  await says(/evil/);
  const { stdout } = await stop();
  expect(stdout).not.toContain("evil\x1b");
  const drawn = stdout.replace(own, "").replace(/\x1b\[(?:\?1049[hl]|\?25[hl]|[HKJ])/g, ""); // eslint-disable-line no-control-regex
  expect(raw.exec(drawn)).toBeNull();
});
