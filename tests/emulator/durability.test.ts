import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask, own, seen, share, start, tunnel } from "./own";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("a restart on the same file", () => {
  it("keeps tunnels, shares, keys, histories and the clock", async () => {
    const settings = { dataFile: join(folder, "deep", "data.db"), listLagMs: 500 };
    const first = await own(settings);
    await ask(first, "POST /ipsec-tunnels", tunnel);
    first.clock.advance(1000);
    await ask(first, "POST /ipsec-shares", share("tnl-1"));
    first.clock.advance(400);
    const before = [first.tunnels(), first.shares(), first.samplePsk("tnl-1"), first.clock.now()];
    await first.close();

    const second = await own(settings);
    expect([second.tunnels(), second.shares(), second.samplePsk("tnl-1"), second.clock.now()]).toEqual(before);
    const listed = async () => (await ask(second, "GET /ipsec-shares")).body;
    expect(await listed()).toMatchObject({ totalElements: 0 });
    second.clock.advance(100);
    expect(await listed()).toMatchObject({ totalElements: 1, content: [{ status: "NEW" }] });
    second.clock.advance(500);
    expect(await seen(second, "/ipsec-shares/shr-1")).toBe("DEPLOYED");
  });

  it("lets work go on while nobody is there", async () => {
    const settings = { dataFile: join(folder, "data.db") };
    const first = await own(settings);
    await ask(first, "POST /ipsec-tunnels", tunnel);
    await first.close();
    const second = await own({ ...settings, frozenAtMs: start + 60_000 });
    expect(await seen(second, "/ipsec-tunnels/tnl-1")).toBe("DEPLOYED");
  });

  it("never gives an id twice", async () => {
    const settings = { dataFile: join(folder, "data.db") };
    const first = await own(settings);
    first.removeTunnel(first.seedTunnel().id);
    await first.close();
    expect((await own(settings)).seedTunnel().id).toBe("tnl-2");
  });

  it("forgets what was removed, and what is over, but not what is DELETED and still shown", async () => {
    const settings = { dataFile: join(folder, "data.db"), deletedRetentionMs: 5000 };
    const first = await own(settings);
    first.seedTunnel({ locationId: "a" });
    first.removeTunnel("tnl-1");
    first.seedTunnel({ locationId: "b" });
    await ask(first, "DELETE /ipsec-tunnels/tnl-2");
    first.clock.advance(1000);
    await first.close();
    const second = await own(settings);
    expect(second.tunnels()).toMatchObject([{ id: "tnl-2", status: "DELETED" }]);
    second.clock.advance(5000);
    await ask(second, "POST /ipsec-tunnels", tunnel);
    expect(() => {
      second.setStatus("tnl-2", "ERROR");
    }).toThrow("no tnl-2");
  });

  it("keeps the file, which holds keys, to its owner", async () => {
    const dataFile = join(folder, "data.db");
    await own({ dataFile });
    expect(statSync(dataFile).mode & 0o777).toBe(0o600);
  });
});
