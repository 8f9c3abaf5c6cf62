import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { render } from "../../cli/devices/render";
import type { Device } from "../../cli/devices/templates";
import { onPath } from "../../cli/shared/files";
import type { TunnelConfigEntry, TunnelResult } from "../../provider/functions/args";
import { useEmulator } from "../cli/command";
import { start } from "../harness/command";
import { needs } from "../harness/needs";

const alone = ["--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"];
const succeeds = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: "ignore" }).status === 0;

/** The plugin that carries ESP here: the kernel's, or strongSwan's own on a tun device. Undefined if there is none. */
function kernelPlugin(): string | undefined {
  const key = `0x${"0".repeat(72)}`;
  const state = `src 192.0.2.1 dst 192.0.2.2 proto esp spi 1 mode tunnel aead rfc4106(gcm(aes)) ${key} 128`;
  if (succeeds("unshare", "--net", "ip", "xfrm", "state", "add", ...state.split(" "))) return "kernel-netlink";
  const isThere = existsSync("/usr/lib/ipsec/plugins/libstrongswan-kernel-libipsec.so") && existsSync("/dev/net/tun");
  return isThere ? "kernel-libipsec" : undefined;
}

/** Why the ends can't run on this machine. */
function whyNot(): string | undefined {
  const tools = ["ip", "unshare", "swanctl", "charon-systemd"].filter(
    (name) => onPath(process.env, name) === undefined,
  );
  if (tools.length > 0)
    return `no ${tools.join(", ")} (packages strongswan-swanctl, charon-systemd, libcharon-extra-plugins, iproute2)`;
  if (process.getuid?.() !== 0 || !succeeds("unshare", ...alone, "true")) return "no root for network namespaces";
  const profiles = "/sys/kernel/security/apparmor/profiles";
  if (existsSync(profiles) && readFileSync(profiles, "utf8").includes("charon-systemd (enforce)"))
    return "AppArmor keeps charon-systemd in its own folders";
  if (kernelPlugin() === undefined) return "no ESP in the kernel (package libcharon-extra-plugins)";
  return undefined;
}

const reason = whyNot();
const describeHere = needs(`strongSwan: ${reason ?? ""}`, reason === undefined) ? describe : describe.skip;
const canNat = needs("nft (package nftables)", onPath(process.env, "nft") !== undefined);
const withNat = canNat ? it : it.skip;
const hasStarter = needs("ipsec (strongswan-starter, strongswan-charon)", onPath(process.env, "ipsec") !== undefined);
const withStarter = hasStarter ? it : it.skip;

const curves: Record<number, string> = { 2: "modp1024", 5: "modp1536", 14: "modp2048", 15: "modp3072", 16: "modp4096" };
const others: Record<number, string> = { 17: "modp6144", 18: "modp8192", 19: "ecp256", 20: "ecp384", 21: "ecp521" };
const rest: Record<number, string> = { 22: "modp1024s160", 23: "modp2048s224", 24: "modp2048s256" };

/** Everything that the service accepts in a phase. */
function proposals(config: TunnelConfigEntry, phase: 1 | 2): string {
  const named = { ...curves, ...others, ...rest };
  const ciphers = config[`phase${phase}EncryptionAlgorithms`] ?? [];
  const hashes = (config[`phase${phase}IntegrityAlgorithms`] ?? []).map((each) =>
    each.toLowerCase().replace("sha2-", "sha"),
  );
  const groups = (config[`phase${phase}DHGroupNumbers`] ?? []).map((each) => named[each]);
  const gcm = ciphers.filter((each) => each.includes("GCM")).map((each) => `aes${each.slice(3, 6)}gcm16`);
  const cbc = ciphers.filter((each) => !each.includes("GCM")).map((each) => each.toLowerCase());
  const prf = phase === 1 ? hashes.map((each) => `prf${each}`) : [];
  return [
    [...gcm, ...prf, ...groups],
    [...cbc, ...hashes, ...groups],
  ]
    .map((each) => each.join("-"))
    .join(",");
}

/** The service's end: it waits for the site, and narrows the selectors that the site proposes. */
const serviceEnd = (tunnel: TunnelResult, config: TunnelConfigEntry, key: string) => `connections {
  service {
    version = 2
    local_addrs = ${config.outsideIpAddress}
    local {
      auth = psk
      id = ${config.outsideIpAddress}
    }
    remote {
      auth = psk
      id = ${tunnel.peerPublicIp}
    }
    proposals = ${proposals(config, 1)}
    children {
      service {
        local_ts = 0.0.0.0/0
        remote_ts = 0.0.0.0/0
        esp_proposals = ${proposals(config, 2)}
      }
    }
  }
}
secrets {
  ike-service {
    id = ${tunnel.peerPublicIp}
    secret = 0x${Buffer.from(key).toString("hex")}
  }
}
`;

describeHere("the files of pulumi-frontdoor device-config for strongSwan", () => {
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "branch", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
  });

  const ask = async (path: string): Promise<unknown> => {
    const { baseUrl, token } = here.emulator;
    const answer = await fetch(`${baseUrl}/v2/fd-1/ipsec-tunnels/tnl-1${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.json();
  };

  /** Connects the ends. Returns what they report: the answer of the target, and their SAs. */
  async function connect(
    key: string,
    { between = "direct", waitSeconds = 20, form = "swanctl" } = {},
  ): Promise<string> {
    const tunnel = (await ask("")) as TunnelResult;
    const { tunnels } = (await ask("/tunnel-config")) as { tunnels: TunnelConfigEntry[] };
    const [config = {}] = tunnels;
    writeFileSync(here.path("service.conf"), serviceEnd(tunnel, config, key), { mode: 0o600 });
    const lab = [
      "bash",
      join(__dirname, "lab.sh"),
      here.workspace.folder,
      kernelPlugin() ?? "",
      between,
      String(waitSeconds),
      form,
    ];
    const { env, cwd } = here.workspace.where({
      ...{ SITE: tunnel.peerPublicIp, SERVICE: config.outsideIpAddress, LOAD_BALANCER: tunnel.nlbPrivateIp },
      ...{ HOST: "10.20.0.1", PORT: "8443", NODE: process.execPath, PLUGINS: "/etc/strongswan.d/charon/*.conf" },
    });
    const { text } = await start("timeout", ["--kill-after=5", "90", "unshare", ...alone, ...lab], { env, cwd }).end;
    return text;
  }

  const write = async (device: Device = "strongswan") => {
    expect((await here.run(`device-config branch --device ${device} --out site.conf`)).code).toBe(0);
  };
  const isUp = (text: string) => {
    expect(text).toContain("300000 bytes came back, the same");
    // Both ends count the bytes, so they went through the tunnel.
    expect(text.match(/^ +(?:in|out) .* [3-9]\d{5} bytes/gm)).toHaveLength(4);
    expect(text.match(/local {2}10\.20\.0\.0\/16|remote 10\.90\.0\.10\/32/g)).toHaveLength(2);
  };

  it.each(["strong", "aws"] as const)("brings the tunnel up with the %s algorithms, and carries TCP", async (form) => {
    here.emulator.settings.tunnelConfigForm = form;
    await write();
    const text = await connect(here.emulator.samplePsk("tnl-1"));
    isUp(text);
    expect(text).toContain("AES_GCM_16-256/PRF_HMAC_SHA2_384/ECP_384");
    expect(text).toContain("ESP:AES_GCM_16-256");
  });

  withNat("brings the tunnel up behind a NAT, whose address is its IKE id", async () => {
    await write();
    const text = await connect(here.emulator.samplePsk("tnl-1"), { between: "nat" });
    isUp(text);
    expect(text).toContain("'203.0.113.7' @ 192.168.1.2[4500]");
  });

  withStarter.each(canNat ? ["direct", "nat"] : ["direct"])(
    "brings the tunnel up by ipsec.conf and ipsec.secrets, %s",
    async (between) => {
      await write("strongswan-ipsec-conf");
      const text = await connect(here.emulator.samplePsk("tnl-1"), { between, form: "ipsec" });
      isUp(text);
      expect(text).toContain("AES_GCM_16-256/PRF_HMAC_SHA2_384/ECP_384");
    },
  );

  const keys = ["a\\b}#$?c d'e{f", "0xabcdef", "0sYWJj"];
  const forms = { strongswan: "swanctl", ...(hasStarter ? { "strongswan-ipsec-conf": "ipsec" } : {}) };
  it.each(keys.flatMap((key) => Object.entries(forms).map(([device, form]) => [key, device as Device, form] as const)))(
    "writes the key %j so that %s reads it as it is",
    async (key, device, form) => {
      const { tunnels } = (await ask("/tunnel-config")) as { tunnels: TunnelConfigEntry[] };
      // The form in which each of these keys is itself: in a quoted one, a backslash is unclear, so the key is refused.
      const sample = `<pre_shared_key>${key}</pre_shared_key>`;
      const { text } = render(device, {
        tunnel: (await ask("")) as TunnelResult,
        entry: tunnels[0],
        sample,
        ports: [],
      });
      writeFileSync(here.path("site.conf"), text, { mode: 0o600 });
      isUp(await connect(key, { form }));
    },
  );

  it("with another key there is no tunnel, and no byte passes", async () => {
    await write();
    const text = await connect("another key", { waitSeconds: 3 });
    expect(text).toMatch(/no answer: .*\n0 bytes came back\n/);
    expect(text).not.toContain("INSTALLED");
  });
});
