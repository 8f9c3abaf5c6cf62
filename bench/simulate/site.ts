import { readConfig } from "../../provider/config";
import { openService } from "../../provider/service";
import { dynamicAdapter } from "../../tests/model/dynamic-adapter";
import { ModelEngine } from "../../tests/model/engine";
import { type Registration, typeTokens } from "../../tests/model/program";
import { memoryRecords } from "../../tests/provider/world";
import type { VirtualClock } from "../../tests/provider/virtual-clock";
import type { FrontDoor } from "./front-door";

/** What every site is. */
export interface Shape {
  shares: number;
  /** The ceiling of its provider process. */
  ceilingPerSecond: number;
  /** From the start of a run until the engine first calls the provider. */
  engineStartMs: number;
}

/** One stack: a tunnel and its shares, and its state. Each run is on another machine, as in a fleet, and finds no records there. */
export class Site {
  private readonly engine = new ModelEngine();
  private readonly program: Registration[];

  constructor(
    readonly number: number,
    readonly frontDoor: FrontDoor,
    private readonly shape: Shape,
    private readonly clock: VirtualClock,
  ) {
    const urn = (kind: "tunnels" | "shares", slot: string) =>
      `urn:pulumi:site-${number}::fleet::${typeTokens[kind]}::${slot}`;
    const tunnel = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: `loc-${number}` };
    const share = (n: number) => ({ envZId: "env-1", target: `host-${n}.internal:443`, ingressPort: 1000 + n });
    this.program = [
      { slot: "hq", kind: "tunnels", urn: urn("tunnels", "hq"), aliases: [], args: tunnel },
      ...Array.from({ length: shape.shares }, (_, n): Registration => {
        const slot = `share-${n}`;
        return { slot, kind: "shares", urn: urn("shares", slot), aliases: [], args: share(n), on: "hq" };
      }),
    ];
  }

  /** One run of `pulumi up` by a provider process of its own. @throws what failed; what was made is in the state. */
  up(): Promise<unknown> {
    return this.inProcess((process) => this.engine.up(process, this.program));
  }

  refresh(): Promise<unknown> {
    return this.inProcess((process) => this.engine.refresh(process));
  }

  /** Everything declared is in the state, and ready. */
  isComplete(): boolean {
    const { state } = this.engine;
    return state.length === this.program.length && state.every(({ isPartial }) => !isPartial);
  }

  private async inProcess(work: (process: Parameters<ModelEngine["up"]>[0]) => Promise<unknown>): Promise<void> {
    await this.clock.sleep(this.shape.engineStartMs);
    const { emulator, id, send } = this.frontDoor;
    const given: Record<string, string> = {
      "frontdoor:baseUrl": emulator.baseUrl,
      "frontdoor:token": emulator.token,
      "frontdoor:frontdoorId": id,
      "frontdoor:takeOver": "alike",
      "frontdoor:requestsPerSecond": String(this.shape.ceilingPerSecond),
    };
    const service = openService({
      config: readConfig((key) => given[key], {}),
      clock: this.clock,
      transport: { send, close: () => Promise.resolve() },
      say: () => undefined,
      records: memoryRecords(),
    });
    const adapter = dynamicAdapter(service, (key) => given[key]);
    try {
      await work({
        adapter,
        run: (call) => call(),
        saved: () => {
          service.endRun();
        },
      });
    } finally {
      await service.close();
    }
  }
}
