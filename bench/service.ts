import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RequestEntry } from "../emulator/request-log";

const root = join(__dirname, "..");

/** How the service behaves. */
export interface Behaviour {
  provisionSeconds: number;
  latencyMs: number;
}

/** The emulator in a process of its own, so that its work is not counted as the provider's. */
export class BenchService {
  private seen = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly baseUrl: string,
  ) {}

  static async start({ provisionSeconds, latencyMs }: Behaviour): Promise<BenchService> {
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
    const ready = join(folder, "ready.json");
    const teardown = Math.min(provisionSeconds, 1);
    const args = [
      ...["-r", "ts-node/register/transpile-only", "emulator/main.ts", "--port", "0", "--quiet"],
      ...["--provision", String(provisionSeconds), "--teardown", String(teardown), "--ready-file", ready],
      ...["--set", "admin=true", "--set", "duplicateIngressPort=allowed"],
    ];
    const child = spawn("node", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    while (!existsSync(ready)) {
      if (child.exitCode !== null) throw new Error("the emulator did not start");
      await sleep(50);
    }
    await sleep(50);
    const { baseUrl } = JSON.parse(readFileSync(ready, "utf8")) as { baseUrl: string };
    const service = new BenchService(child, folder, baseUrl);
    await service.makeTunnel();
    if (latencyMs > 0) await service.admin("POST", "faults", { fault: "delay", delayMs: latencyMs, times: 1_000_000 });
    return service;
  }

  /** The requests since the last call. */
  async requests(): Promise<RequestEntry[]> {
    const all = (await this.admin("GET", "requests")) as RequestEntry[];
    const fresh = all.slice(this.seen);
    this.seen = all.length;
    return fresh;
  }

  stop(): void {
    this.child.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The shares' tunnel; the first one the emulator makes is tnl-1. */
  private async makeTunnel(): Promise<void> {
    const response = await fetch(`${this.baseUrl}/v2/fd-1/ipsec-tunnels`, {
      method: "POST",
      headers: { authorization: "Bearer emulator-token", "content-type": "application/json" },
      body: JSON.stringify({ name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" }),
    });
    if (!response.ok) throw new Error(`the tunnel was not made: ${response.status}`);
  }

  private async admin(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${new URL(this.baseUrl).origin}/_admin/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response.json();
  }
}
