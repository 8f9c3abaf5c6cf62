import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { root } from "../tests/harness/folder";
import { type Figure, figure } from "./compare";

// The very copies that the SDK's own messages are made with.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const { credentials } = fromSdk("@grpc/grpc-js") as { credentials: { createInsecure(): never } };
const { Struct } = fromSdk("google-protobuf/google/protobuf/struct_pb.js") as {
  Struct: { fromJavaScript(value: object): never };
};

/** To its first check for a dynamic provider, which loads its text only then; to its configuration for a plugin. */
const measured = {
  floor: () => dynamicMs("exports.handler=()=>({check:async(o,n)=>({inputs:n})})"),
  ours: () => dynamicMs('exports.handler=()=>require("pulumi-frontdoor/dynamic").share()'),
  hello: () => pluginMs(join(__dirname, "hello", "pulumi-resource-hello")),
  plugin: () => pluginMs(join(root, "dist", "plugin", "pulumi-resource-frontdoor")),
};
type Started = keyof typeof measured;
const floors = { floor: "floor", ours: "floor", hello: "hello", plugin: "hello" } as const;
const started = Object.keys(measured) as Started[];

const rounds = 7;
const dynamicHost = join(root, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider");
const settings = { baseUrl: "http://127.0.0.1:1/frontdoor", token: "t" };

/** From the start of a provider process to its first answer that counts, in ms; and through that of its floor, round by round. */
export type Load = Record<Started, { ms: Figure; ratio: Figure }>;

/** Starts each in turn. */
export async function measureLoad(): Promise<Load> {
  const values: Record<Started, number[]> = { floor: [], ours: [], hello: [], plugin: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of started) {
      const ms = await measured[name]();
      // The first one finds neither files in the system's cache nor code that was compiled before.
      if (round > 0) values[name].push(ms);
    }
  }
  const over = (name: Started) => values[name].map((ms, round) => ms / (values[floors[name]][round] ?? NaN));
  const figures = started.map((name) => [name, { ms: figure(values[name]), ratio: figure(over(name)) }]);
  return Object.fromEntries(figures) as Load;
}

const pluginMs = (file: string) =>
  answeredMs(file, async (client) => {
    await configure(client, settings);
  });

const dynamicMs = (text: string) =>
  answeredMs(dynamicHost, async (client) => {
    await configure(client, { "frontdoor:baseUrl": settings.baseUrl, "frontdoor:token": settings.token });
    await check(client, text);
  });

async function answeredMs(file: string, ask: (client: ResourceProviderClient) => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  const child = spawn("node", [file, "127.0.0.1:1"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const client = new ResourceProviderClient(`127.0.0.1:${port.toString().trim()}`, credentials.createInsecure());
    await ask(client);
    client.close();
    return performance.now() - startedMs;
  } finally {
    // As the engine ends it: killed, it would not keep what it has compiled.
    child.kill("SIGINT");
    await exited;
  }
}

/** Calls the provider. */
const asked = <Request, Answer>(
  call: (request: Request, done: (error: Error | null, answer: Answer) => void) => unknown,
  request: Request,
) =>
  new Promise<Answer>((resolve, reject) => {
    call(request, (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });

async function configure(client: ResourceProviderClient, values: object): Promise<void> {
  const request = new proto.ConfigureRequest();
  request.setArgs(Struct.fromJavaScript(values));
  await asked(client.configure.bind(client) as never, request);
}

async function check(client: ResourceProviderClient, text: string): Promise<void> {
  const request = new proto.CheckRequest();
  const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  request.setNews(Struct.fromJavaScript({ __provider: text, name: "web", frontdoorId: "fd-1", ...share }));
  request.setOlds(Struct.fromJavaScript({}));
  const answer = await asked<proto.CheckRequest, proto.CheckResponse>(client.check.bind(client), request);
  const failures = answer.getFailuresList();
  if (failures.length > 0) throw new Error("the check failed");
}
