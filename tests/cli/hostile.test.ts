import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { type Ended, start } from "../harness/command";
import { installed, Place } from "./command";
import { hostile, type HostileService, type Mood, raw, startHostileService } from "./hostile-service";
import { terminal } from "./terminal";

let service: HostileService;
let place: Place;

beforeAll(async () => {
  service = await startHostileService();
  place = new Place(service);
});
afterAll(async () => {
  await service.close();
  place.remove();
});

const help = (...args: string[]) =>
  execFileSync(process.execPath, [installed, ...args, "--help"], { encoding: "utf8" });

/** Every command that the program has, with the line of its arguments. */
const commands = [...help().matchAll(/^ {2}([a-z][a-z-]*)( .*?)(?: {2}|$)/gm)]
  .map(([, name = "", usage = ""]) => ({ name, usage }))
  .filter(({ name }) => name !== "help");

/** Commands that serve until a signal ends them. */
const serving = ["emulator", "dashboard"];
/** Commands that show texts of the service. */
const reading = ["tunnels", "shares", "tunnel", "share", "sample-config", "metrics", "watch", "import", "dashboard"];

/** More ways to call a command than with its arguments only. */
const ways: Partial<Record<string, string[][]>> = {
  "sample-config": [[], ["--out", "-"], ["--force"]],
  metrics: [["--svg", "plot.svg"], []],
  watch: [["--for", "3s"]],
  import: [...["ts", "python", "yaml"].map((each) => ["--program", each, "--program-out", `program.${each}`]), []],
  emulator: [["--port", "0"]],
};

/** The arguments that a command requires: each id that there is, or a shell. */
function requiredBy(usage: string): string[][] {
  if (usage.includes("<id>")) return [["tnl-1"], ["shr-1"]];
  return usage.includes("<shell>") ? [["bash"], ["zsh"], ["fish"]] : [[]];
}

function callsOf({ name, usage }: { name: string; usage: string }): string[][] {
  const calls = (ways[name] ?? [[]]).flatMap((way) => requiredBy(usage).map((args) => [name, ...args, ...way]));
  const isJson = /^ +--json /m.test(help(name));
  return isJson ? [...calls, ...calls.map((call) => [...call, "--json"])] : calls;
}

/** Runs a command to its end; one that serves is ended once it has printed its address. */
async function run(args: string[]): Promise<Ended> {
  if (!serving.includes(args[0] ?? "")) return place.run(args);
  const { said, end, pid } = start(process.execPath, [installed, ...args], place.where({}));
  const ended = end.then(() => true);
  while (!said.stdout.includes("http:"))
    if (await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])) return end;
  const [url] = /http:[^"\s]+/.exec(said.stdout) ?? [];
  let page = "";
  try {
    if (args[0] === "dashboard" && url !== undefined) page = await pageOf(url);
  } finally {
    process.kill(pid, "SIGINT");
  }
  const result = await end;
  return { ...result, text: result.text + page };
}

/** Everything that the dashboard sends to its page. */
async function pageOf(url: string): Promise<string> {
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
  // The page shows the values, so these are to be clean, too.
  return [...documents, ...parts].map((text) => `${text}\n${textsIn(JSON.parse(text)).join("\n")}`).join("\n");
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [key, ...textsIn(each)]);
}

/** The files that a command has written, which are removed. */
function written(): string[] {
  const names = readdirSync(place.folder).filter((name) => statSync(place.path(name)).isFile());
  return names.map((name) => {
    const text = readFileSync(place.path(name), "utf8");
    rmSync(place.path(name));
    return text;
  });
}

describe.each<Mood>(["answers", "refuses", "lists oddly"])("when the service %s", (mood) => {
  it.each(commands)("$name prints no character that a terminal obeys", async (command) => {
    service.mood = mood;
    let all = "";
    for (const call of mood === "answers" ? callsOf(command) : callsOf(command).slice(-1)) {
      const { stdout, stderr, text, code } = await run(call);
      const files = written();
      for (const each of [stdout, stderr, text, ...files]) expect([call, raw.exec(each)]).toEqual([call, null]);
      if (call.includes("--json") && code !== 2) expect([call, /[\t\r]/.exec(stdout)]).toEqual([call, null]);
      all += text + files.join("");
    }
    if (mood === "answers" && reading.includes(command.name)) expect(all).toContain("evil");
  });
});

it.each([[["--out", "-"]], [["--force"]]])(
  "sample-config %j redacts a token that hidden characters split",
  async (way) => {
    service.mood = "answers";
    const call = ["sample-config", "tnl-1", ...way];
    for (const { stdout } of [await place.run(call), await terminal(place, call).end]) {
      expect(stdout).not.toContain(service.token);
      expect(stdout).toContain("token [secret]");
    }
  },
);

describe("--json", () => {
  beforeAll(() => {
    service.mood = "answers";
  });

  it.each([
    [["tunnels"], "name"],
    [["tunnel", "tnl-1"], "statusMessage"],
    [["metrics", "shr-1"], hostile],
  ])("%j keeps the value", async (args, key) => {
    const { stdout } = await place.run([...args, "--json"]);
    const found: unknown[] = [];
    JSON.parse(stdout, (each, value: unknown) => {
      if (each === key) found.push(value);
      return value;
    });
    expect(found).toContain(hostile);
  });

  it("sample-config keeps the text", async () => {
    const { stdout } = await place.run(["sample-config", "tnl-1", "--force", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ sampleConfig: service.sampleConfig });
  });
});

/** The styles of the command's own, and the ends of lines, as a terminal has them. */
const own = /\x1b\[(?:1|2|22|3[1236]|39|0)m|\r+(?=\n)/g; // eslint-disable-line no-control-regex

describe("on a terminal", () => {
  it.each(commands.filter(({ name }) => !serving.includes(name)))("$name prints no other styles", async (command) => {
    service.mood = "answers";
    for (const args of requiredBy(command.usage)) {
      const call = [command.name, ...args, ...(ways[command.name]?.at(-1) ?? [])];
      const { stdout } = await terminal(place, call).end;
      expect([call, stdout]).toEqual([call, expect.not.stringContaining("evil\x1b")]);
      expect([call, raw.exec(stdout.replace(own, ""))]).toEqual([call, null]);
    }
  });

  it.each(["tunnels", "shares"])("%s --watch draws no text of the service as it came", async (name) => {
    const running = terminal(place, [name, "--watch"]);
    await running.shows("evil");
    running.interrupt();
    const { stdout } = await running.end;
    expect(stdout).not.toContain("evil\x1b");
    const drawn = stdout.replace(own, "").replace(/\x1b\[(?:\?1049[hl]|\?25[hl]|[HKJ])/g, ""); // eslint-disable-line no-control-regex
    expect(raw.exec(drawn)).toBeNull();
  });
});
