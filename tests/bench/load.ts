import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";

// The very copies that the SDK's own messages are made with.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const { credentials } = fromSdk("@grpc/grpc-js") as { credentials: { createInsecure(): never } };
const { Struct } = fromSdk("google-protobuf/google/protobuf/struct_pb.js") as {
  Struct: { fromJavaScript(value: object): never };
};

const root = join(__dirname, "..", "..");
const texts = {
  floor: "exports.handler=()=>({check:async(o,n)=>({inputs:n})})",
  ours: 'exports.handler=()=>require("pulumi-frontdoor/dynamic").share()',
};

/** From the start of the provider process to its first answered check, in ms. */
export async function loadMs(name: keyof typeof texts): Promise<number> {
  const startedMs = performance.now();
  const host = join(root, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider");
  const child = spawn("node", [host, "127.0.0.1:1"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  try {
    const port = await new Promise<string>((resolve) =>
      child.stdout.once("data", (chunk: Buffer) => {
        resolve(chunk.toString().trim());
      }),
    );
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const configuration = new proto.ConfigureRequest();
    configuration.setArgs(
      Struct.fromJavaScript({ "frontdoor:baseUrl": "http://127.0.0.1:1/frontdoor", "frontdoor:token": "t" }),
    );
    await new Promise((resolve, reject) => {
      client.configure(configuration, (error: Error | null) => {
        if (error) reject(error);
        else resolve(undefined);
      });
    });
    const request = new proto.CheckRequest();
    request.setNews(
      Struct.fromJavaScript({
        __provider: texts[name],
        name: "web",
        frontdoorId: "fd-1",
        ipsecTunnelId: "tnl-1",
        envZId: "env-1",
        target: "web.internal:443",
        ingressPort: 443,
      }),
    );
    request.setOlds(Struct.fromJavaScript({}));
    const failures = await new Promise<unknown[]>((resolve, reject) => {
      client.check(request, (error: Error | null, response: { getFailuresList(): unknown[] }) => {
        if (error) reject(error);
        else resolve(response.getFailuresList());
      });
    });
    if (failures.length > 0) throw new Error("the check failed");
    client.close();
    return performance.now() - startedMs;
  } finally {
    child.kill();
  }
}
