import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { render } from "../../cli/devices/render";
import type { Device } from "../../cli/devices/templates";
import { removeFolder } from "../harness/folder";
import { needs } from "../harness/needs";

const folder = mkdtempSync(join(tmpdir(), "frontdoor-parsers-"));
afterAll(() => {
  removeFolder(folder);
});

const packages = [
  ...["ciscoconfparse2==0.9.18", "junoscfg==0.5.10", "netutils==1.19.2", "pan-os-python==1.13.1"],
  "routeros-diff==0.5.3",
];

/** The Python that has the parsers: this machine's, or one with the packages in a folder of its own. */
function pythonWithParsers(): string | undefined {
  const has = (python: string) =>
    spawnSync(python, ["-c", "import ciscoconfparse2, junoscfg, netutils.config.parser, panos.network, routeros_diff"])
      .status === 0;
  if (has("python3")) return "python3";
  const python = join(folder, "venv", "bin", "python");
  const quiet = { stdio: "ignore", timeout: 180_000 } as const;
  if (spawnSync("python3", ["-m", "venv", join(folder, "venv")], quiet).status !== 0) return undefined;
  const isThere = spawnSync(python, ["-m", "pip", "install", "--quiet", ...packages], quiet).status === 0;
  return isThere && has(python) ? python : undefined;
}

const python = pythonWithParsers();
const itHere = needs("Python with parsers of device files", python !== undefined) ? it : it.skip;

const tunnel = {
  ...{ id: "tnl-1", name: "hq", frontdoorId: "fd-1", locationId: "loc-1", status: "DEPLOYED" },
  ...{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", nlbPrivateIp: "10.90.0.10" },
};
const algorithms = { strong: ["AES256-GCM-16", "SHA2-384", 20], plain: ["AES256", "SHA2-256", 14] } as const;
type Algorithms = keyof typeof algorithms;

const places = {
  ...{ INSIDE_INTERFACE: "internal", TUNNEL_NUMBER: "10", VIRTUAL_ROUTER: "default" },
  ...{ TUNNEL_ZONE: "vpn", INSIDE_ZONE: "trust", OUTSIDE_ZONE: "untrust", POLICY_NUMBER: "20" },
  OUTSIDE_ADDRESS: "203.0.113.7",
};

/** The configuration with all places filled in. */
function textOf(device: Device, which: Algorithms, outside: string): string {
  const [encryption, integrity, group] = algorithms[which];
  // PAN-OS has AES-CBC for phase 1.
  const [encryptions, integrities, groups] = [["AES256", encryption], [integrity], [group]];
  const entry = {
    ...{ outsideIpAddress: "198.51.100.1", insideCidr: "169.254.10.0/30", ikeVersions: ["ikev2"] },
    ...{ phase1EncryptionAlgorithms: encryptions, phase2EncryptionAlgorithms: encryptions },
    ...{ phase1IntegrityAlgorithms: integrities, phase2IntegrityAlgorithms: integrities },
    ...{ phase1DHGroupNumbers: groups, phase2DHGroupNumbers: groups },
    ...{ phase1LifetimeSeconds: 28_800, phase2LifetimeSeconds: 3600 },
    ...{ rekeyMarginTimeSeconds: 540, rekeyFuzzPercentage: 100, dpdTimeoutSeconds: 30 },
  };
  const { text } = render(device, { tunnel, entry, sample: "pre-shared-key a_Key.9", ports: [8443, 443, 8444] });
  const values: Record<string, string> = { ...places, OUTSIDE_INTERFACE: outside };
  return text
    .split("\n\n")
    .slice(1)
    .join("\n\n")
    .replace(/<FILL_IN:(\w+)>/g, (mark, name: string) => values[name] ?? mark);
}

const parsed = (device: Device, text: string, values: unknown = []): unknown =>
  JSON.parse(
    execFileSync(python ?? "python3", [join(__dirname, "read.py")], {
      input: JSON.stringify({ device, text, values }),
      encoding: "utf8",
    }),
  );

/** The lines, each after the lines that it belongs to. */
const blocksOf = (lines: unknown) => (lines as string[][]).map((line) => line.join(" / "));
/** The lines below a line of the first level. */
const below = (blocks: string[], first: string) =>
  blocks.filter((block) => block.startsWith(`${first} / `)).map((block) => block.slice(first.length + 3));

describe.each<Algorithms>(["strong", "plain"])("device-config with %s algorithms", (which) => {
  const isStrong = which === "strong";

  itHere("gives an IOS-XE configuration that ciscoconfparse2 reads", () => {
    const blocks = blocksOf(parsed("cisco-ios-xe", textOf("cisco-ios-xe", which, "GigabitEthernet1")));
    const group = isStrong ? 20 : 14;
    expect(below(blocks, "crypto ikev2 proposal fd-tnl1")).toEqual([
      ...(isStrong ? ["encryption aes-gcm-256", "prf sha384"] : ["encryption aes-cbc-256", "integrity sha256"]),
      `group ${group}`,
    ]);
    expect(below(blocks, "crypto ikev2 keyring fd-tnl1")).toEqual([
      ...["peer fd-tnl1", "peer fd-tnl1 / address 198.51.100.1", "peer fd-tnl1 / pre-shared-key a_Key.9"],
    ]);
    const transforms = isStrong ? "esp-gcm 256" : "esp-aes 256 esp-sha256-hmac";
    expect(below(blocks, `crypto ipsec transform-set fd-tnl1 ${transforms}`)).toEqual(["mode tunnel"]);
    expect(below(blocks, "crypto ipsec profile fd-tnl1")).toContain(`set pfs group${group}`);
    expect(below(blocks, "interface Tunnel10")).toEqual([
      ...["ip address 169.254.10.2 255.255.255.252", "ip tcp adjust-mss 1360", "tunnel source GigabitEthernet1"],
      ...["tunnel mode ipsec ipv4", "tunnel destination 198.51.100.1", "tunnel protection ipsec profile fd-tnl1"],
    ]);
    expect(blocks).toContain("ip route 10.90.0.10 255.255.255.255 Tunnel10");
  });

  itHere("gives an ASA configuration that ciscoconfparse2 reads", () => {
    const blocks = blocksOf(parsed("cisco-asa", textOf("cisco-asa", which, "outside")));
    const group = isStrong ? 20 : 14;
    expect(below(blocks, "crypto ikev2 policy 20")).toEqual([
      ...(isStrong ? ["encryption aes-gcm-256", "integrity null"] : ["encryption aes-256", "integrity sha256"]),
      ...[`group ${group}`, `prf ${isStrong ? "sha384" : "sha256"}`, "lifetime seconds 28800"],
    ]);
    expect(below(blocks, "crypto ipsec ikev2 ipsec-proposal fd-tnl1")).toEqual(
      isStrong
        ? ["protocol esp encryption aes-gcm-256", "protocol esp integrity null"]
        : ["protocol esp encryption aes-256", "protocol esp integrity sha-256"],
    );
    expect(below(blocks, "crypto ipsec profile fd-tnl1")).toContain(`set pfs group${group}`);
    expect(below(blocks, "tunnel-group 198.51.100.1 ipsec-attributes")).toEqual([
      "isakmp keepalive threshold 10 retry 3",
      ...["remote", "local"].map((end) => `ikev2 ${end}-authentication pre-shared-key a_Key.9`),
    ]);
    expect(below(blocks, "interface Tunnel10")).toEqual([
      ...["nameif fd-tnl1", "ip address 169.254.10.2 255.255.255.252", "tunnel source interface outside"],
      ...["tunnel destination 198.51.100.1", "tunnel mode ipsec ipv4", "tunnel protection ipsec profile fd-tnl1"],
    ]);
    expect(blocks).toContain("route fd-tnl1 10.90.0.10 255.255.255.255 169.254.10.1 1");
  });

  itHere("gives an SRX configuration, and junoscfg finds no fault in what its schema has", () => {
    const text = textOf("juniper-srx", which, "ge-0/0/0.0");
    const faults = (lines: string) => parsed("juniper-srx", lines) as string[];
    // The schema is a router's. It also lacks the address of a gateway, an interface as the next hop, and the terms of an application.
    const lacks = /^(term|flow|zones|policies|address-book) |ike\.gateway\.address|next-hop st0\.10$/;
    expect(faults(text).filter((each) => !lacks.test(each))).toEqual([]);
    const broken = text.replace(" v2-only", " v3-only").replace("dh-group ", "dh-groups ");
    expect(faults(broken).filter((each) => !lacks.test(each))).toEqual([
      ...[`dh-groups group${isStrong ? 20 : 14}`, "security.ike.gateway.version v3-only"],
    ]);
  });

  itHere("gives a RouterOS configuration that routeros-diff reads", () => {
    const lines = parsed("mikrotik", textOf("mikrotik", which, "")) as [menu: string, command: string, object][];
    expect(lines.map(([menu, command]) => `${menu} ${command}`)).toEqual([
      ...["profile", "peer", "identity", "proposal", "policy"].map((menu) => `/ip ipsec ${menu} add`),
      ...["raw", "raw", "mangle", "mangle"].map((menu) => `/ip firewall ${menu} add`),
    ]);
    const [hash, group] = isStrong ? ["sha384", "ecp384"] : ["sha256", "modp2048"];
    const [esp, auth] = isStrong ? ["aes-256-gcm", ""] : ["aes-256-cbc", "sha256"];
    const name = "fd-tnl1";
    expect(lines.slice(0, 5).map(([, , settings]) => settings)).toEqual([
      {
        ...{ name, "enc-algorithm": "aes-256", "hash-algorithm": hash, "dh-group": group, lifetime: "28800s" },
        ...{ "dpd-interval": "10s", "dpd-maximum-failures": "3", "nat-traversal": "yes" },
      },
      { name, address: "198.51.100.1/32", "exchange-mode": "ike2", profile: name },
      {
        ...{ peer: name, "auth-method": "pre-shared-key", "my-id": "address:203.0.113.7" },
        ...{ "remote-id": "address:198.51.100.1", secret: "a_Key.9" },
      },
      { name, "enc-algorithms": esp, "auth-algorithms": auth, "pfs-group": group, lifetime: "3600s" },
      { peer: name, proposal: name, tunnel: "yes", "src-address": "10.20.0.0/16", "dst-address": "10.90.0.10/32" },
    ]);
  });

  itHere("gives a FortiGate configuration that netutils reads", () => {
    const text = textOf("fortigate", which, "wan1");
    const blocks = blocksOf(parsed("fortigate", text));
    const phase1 = below(blocks, 'config vpn ipsec phase1-interface / edit "fd-tnl1"');
    expect(phase1).toEqual(
      expect.arrayContaining([
        `set proposal ${isStrong ? "aes256gcm-prfsha384" : "aes256-sha256"}`,
        ...[`set dhgrp ${isStrong ? 20 : 14}`, 'set interface "wan1"', 'set psksecret "a_Key.9"', "set ike-version 2"],
      ]),
    );
    const phase2 = below(blocks, 'config vpn ipsec phase2-interface / edit "fd-tnl1"');
    expect(phase2).toEqual(
      expect.arrayContaining([`set proposal ${isStrong ? "aes256gcm" : "aes256-sha256"}`, 'set phase1name "fd-tnl1"']),
    );
    const opened = text.match(/^config |^ {4}edit /gm) ?? [];
    expect(text.match(/^end$|^ {4}next$/gm)).toHaveLength(opened.length);
    for (const table of ["system interface", "router static", "firewall address", "firewall policy"])
      expect(below(blocks, `config ${table}`).length).toBeGreaterThan(1);
  });

  itHere("gives the set lines that pan-os-python has for the same values", () => {
    const lines = textOf("pan-os", which, "ethernet1/1").trim().split("\n");
    const ends = { peer_ip_value: "198.51.100.1", peer_id_value: "198.51.100.1", local_id_value: "203.0.113.7" };
    const suite = isStrong ? ["aes-256-cbc", "sha384", "group20"] : ["aes-256-cbc", "sha256", "group14"];
    const ike = { authentication: suite[1], dh_group: suite[2], lifetime_seconds: 28_800 };
    const esp = isStrong
      ? { esp_encryption: "aes-256-gcm", esp_authentication: "none" }
      : { esp_encryption: "aes-256-cbc", esp_authentication: "sha256" };
    const values = [
      ["network ike crypto-profiles ike-crypto-profiles", "fd-tnl1", { ...ike, encryption: suite[0] }],
      [
        "network ike crypto-profiles ipsec-crypto-profiles",
        "fd-tnl1",
        { ...esp, dh_group: suite[2], lifetime_seconds: 3600 },
      ],
      [
        "network ike gateway",
        "fd-tnl1",
        {
          ...{ version: "ikev2", interface: "ethernet1/1", pre_shared_key: "a_Key.9", ikev2_crypto_profile: "fd-tnl1" },
          ...{ local_id_type: "ipaddr", peer_id_type: "ipaddr", ...ends, enable_nat_traversal: true },
          ...{ enable_liveness_check: true, liveness_check_interval: 10 },
        },
      ],
      ["network interface tunnel units", "tunnel.10", { ip: "169.254.10.2/30", mtu: 1400 }],
      [
        "network tunnel ipsec",
        "fd-tnl1",
        {
          ...{ tunnel_interface: "tunnel.10", ak_ike_gateway: "fd-tnl1", ak_ipsec_crypto_profile: "fd-tnl1" },
          ...{ enable_tunnel_monitor: true, tunnel_monitor_dest_ip: "169.254.10.1" },
        },
      ],
      ["network virtual-router", "default", { interface: "tunnel.10" }],
      [
        "network virtual-router default routing-table ip static-route",
        "fd-tnl1",
        { destination: "10.90.0.10/32", interface: "tunnel.10", nexthop_type: null },
      ],
      ["zone", "vpn", { mode: "layer3", interface: "tunnel.10" }],
      ["service", "fd-tnl1", { protocol: "tcp", destination_port: "443,8443-8444" }],
      [
        "rulebase security rules",
        "fd-tnl1",
        {
          ...{ fromzone: "trust", tozone: "vpn", source: "10.20.0.0/16", destination: "10.90.0.10/32" },
          ...{ application: "any", service: "fd-tnl1", action: "allow" },
        },
      ],
    ];
    const sent = parsed("pan-os", "", values) as string[];
    expect(lines.filter((line) => !sent.includes(line))).toEqual([]);
    // It also sends these defaults.
    const defaults =
      / (?:anti-replay yes|override no|metric 10|(?:source-user|category|\w+-hip) any|rule-type universal)$/;
    expect(sent.filter((line) => !lines.includes(line) && !defaults.test(line))).toEqual([]);
  });
});
