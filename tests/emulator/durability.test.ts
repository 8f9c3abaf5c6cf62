import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { presets } from "../../emulator/command";
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

  it("has the front door and the organization of before, also as NetFoundry's service", async () => {
    const dataFile = join(folder, "data.db");
    const first = await own({ ...presets.netfoundry(), dataFile });
    await ask(first, "POST /ipsec-tunnels", tunnel);
    await first.close();
    const second = await own({ ...presets.netfoundry(), dataFile });
    expect(second.settings.organizationId).toBe(first.settings.organizationId);
    expect(await ask(second, "GET /ipsec-tunnels/tnl-1")).toMatchObject({ status: 200 });
  });

  it("lets work go on while nobody is there", async () => {
    const settings = { dataFile: join(folder, "data.db") };
    const first = await own(settings);
    await ask(first, "POST /ipsec-tunnels", tunnel);
    await first.close();
    const second = await own({ ...settings, frozenAtMs: start + 60_000 });
    expect(await seen(second, "/ipsec-tunnels/tnl-1")).toBe("DEPLOYED");
  });

  it("gives no id twice, forgets what was removed, and what is over, but not what is DELETED and still shown", async () => {
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
    expect(second.seedTunnel({ locationId: "c" }).id).toBe("tnl-3");
    second.clock.advance(5000);
    await ask(second, "POST /ipsec-tunnels", tunnel);
    expect(() => {
      second.setStatus("tnl-2", "ERROR");
    }).toThrow("no tnl-2");
  });
});

describe("the data file, which holds keys,", () => {
  const isRoot = process.geteuid?.() === 0;
  const file = (suffix = "") => join(folder, `data.db${suffix}`);
  const opened = () => own({ dataFile: file() });
  const modes = () =>
    readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);

  it("can be read by its owner only, whatever the process's mask is", async () => {
    const mask = process.umask(0);
    await opened();
    process.umask(mask);
    expect(modes()).toEqual([
      ["data.db", "600"],
      ["data.db-wal", "600"],
    ]);
  });

  it("is closed to other users if it was open to them, with the files beside it", async () => {
    await (await opened()).close();
    for (const suffix of ["", "-wal", "-shm"]) {
      writeFileSync(file(suffix), "", { flag: "a" });
      chmodSync(file(suffix), 0o666);
    }
    await opened();
    expect(modes()).not.toEqual([]);
    for (const [name, mode] of modes()) expect([name, mode]).toEqual([name, "600"]);
  });

  describe.each(["", "-wal", "-shm", "-journal"])("is refused if data.db%s", (suffix) => {
    it("is a symbolic link", async () => {
      writeFileSync(join(folder, "other"), "");
      symlinkSync(join(folder, "other"), file(suffix));
      await expect(opened()).rejects.toThrow(`${file(suffix)} is a symbolic link`);
      expect(statSync(join(folder, "other")).size).toBe(0);
    });

    it("belongs to another user", async () => {
      // Only root can give a file away. Anybody else names one of root's.
      const planted = isRoot ? file(suffix) : "/etc/passwd";
      if (isRoot) {
        writeFileSync(planted, "", { mode: 0o666 });
        chownSync(planted, 65534, 65534);
      }
      const dataFile = isRoot ? file() : planted;
      await expect(own({ dataFile })).rejects.toThrow(`${planted} belongs to another user`);
    });
  });

  it("is refused if it is no file", async () => {
    await expect(own({ dataFile: folder })).rejects.toThrow(`${folder} is not a file`);
  });
});
