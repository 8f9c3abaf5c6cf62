import * as fs from "node:fs";
import { render } from "../../cli/device-config";
import type { Device } from "../../cli/device-templates";
import type { TunnelConfigEntry, TunnelResult } from "../../provider/functions/args";
import { keyIn } from "../../provider/functions/pre-shared-key";
import { useEmulator } from "./command";

const tunnel: TunnelResult = {
  ...{ id: "tnl-1", name: "hq", frontdoorId: "fd-1", locationId: "loc-1", status: "DEPLOYED" },
  ...{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", nlbPrivateIp: "10.90.0.10" },
};
const entry: TunnelConfigEntry = {
  ...{ outsideIpAddress: "198.51.100.1", insideCidr: "169.254.10.0/30", ikeVersions: ["ikev1", "ikev2"] },
  phase1EncryptionAlgorithms: ["AES128", "AES256", "AES256-GCM-16"],
  phase1IntegrityAlgorithms: ["SHA1", "SHA2-256", "SHA2-384"],
  phase1DHGroupNumbers: [2, 14, 20],
  phase1LifetimeSeconds: 28_800,
  phase2EncryptionAlgorithms: ["AES128", "AES256", "AES256-GCM-16"],
  phase2IntegrityAlgorithms: ["SHA1", "SHA2-256"],
  phase2DHGroupNumbers: [2, 14, 19],
  phase2LifetimeSeconds: 3600,
  ...{ rekeyMarginTimeSeconds: 540, rekeyFuzzPercentage: 50, dpdTimeoutSeconds: 45, dpdTimeoutAction: "clear" },
};
const keyLine = "pre-shared-key a_Key.9";

const all: Device[] = ["strongswan", "fortigate", "cisco-ios-xe", "pan-os"];
const filled = (device: Device, change: Partial<TunnelConfigEntry> = {}, sample = keyLine) =>
  render(device, tunnel, { ...entry, ...change }, sample);
const linesOf = (text: string) => text.split("\n").map((line) => line.trim());
const without = (...names: (keyof TunnelConfigEntry)[]): TunnelConfigEntry =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name as keyof TunnelConfigEntry)));

describe("the template of", () => {
  const addresses = ["198.51.100.1", "203.0.113.7", "10.90.0.10"];
  const lines: Record<Device, string[]> = {
    strongswan: [
      ...["version = 2", "remote_addrs = 198.51.100.1", "id = 203.0.113.7", "id = 198.51.100.1"],
      ...["proposals = aes256gcm16-prfsha384-ecp384", "rekey_time = 28260", "over_time = 540", "rand_time = 270"],
      ...["local_ts = 10.20.0.0/16", "remote_ts = 10.90.0.10/32", "esp_proposals = aes256gcm16-ecp256"],
      ...["life_time = 3600", "rekey_time = 3060", "dpd_delay = 15", "start_action = start", 'secret = "a_Key.9"'],
    ],
    fortigate: [
      ...["set ike-version 2", "set proposal aes256gcm-prfsha384", "set dhgrp 20", "set keylife 28800"],
      ...['set localid "203.0.113.7"', "set nattraversal enable", "set dpd-retryinterval 15"],
      ...["set remote-gw 198.51.100.1", 'set psksecret "a_Key.9"', "set proposal aes256gcm", "set dhgrp 19"],
      ...["set keylifeseconds 3600", "set ip 169.254.10.2 255.255.255.255", "set tcp-mss-sender 1360"],
      ...["set remote-ip 169.254.10.1 255.255.255.252", "set dst 10.90.0.10 255.255.255.255"],
      ...["set subnet 10.20.0.0 255.255.0.0", "set src-subnet 0.0.0.0 0.0.0.0"],
    ],
    "cisco-ios-xe": [
      ...["encryption aes-gcm-256", "prf sha384", "group 20", "address 198.51.100.1", "pre-shared-key a_Key.9"],
      ...["identity local address 203.0.113.7", "lifetime 28800", "dpd 15 3 periodic", "set pfs group19"],
      ...["crypto ipsec transform-set fd-tnl1 esp-gcm 256", "set security-association lifetime seconds 3600"],
      ...["ip address 169.254.10.2 255.255.255.252", "ip tcp adjust-mss 1360", "tunnel destination 198.51.100.1"],
      "ip route 10.90.0.10 255.255.255.255 Tunnel<FILL_IN:TUNNEL_NUMBER>",
    ],
    "pan-os": [
      "set network ike crypto-profiles ike-crypto-profiles fd-tnl1 encryption aes-256-cbc",
      "set network ike crypto-profiles ike-crypto-profiles fd-tnl1 hash sha384",
      "set network ike crypto-profiles ike-crypto-profiles fd-tnl1 dh-group group20",
      "set network ike crypto-profiles ipsec-crypto-profiles fd-tnl1 esp encryption aes-256-gcm",
      "set network ike crypto-profiles ipsec-crypto-profiles fd-tnl1 esp authentication none",
      "set network ike gateway fd-tnl1 authentication pre-shared-key key a_Key.9",
      "set network ike gateway fd-tnl1 protocol-common nat-traversal enable yes",
      "set network ike gateway fd-tnl1 protocol ikev2 dpd interval 15",
      "set network ike gateway fd-tnl1 local-id id 203.0.113.7",
      "set network interface tunnel units tunnel.<FILL_IN:TUNNEL_NUMBER> ip 169.254.10.2/30",
      "set network interface tunnel units tunnel.<FILL_IN:TUNNEL_NUMBER> mtu 1400",
      "set network tunnel ipsec fd-tnl1 tunnel-monitor destination-ip 169.254.10.1",
    ],
  };

  it.each(all)("%s has the tunnel's values, and the strongest algorithms of both sides", (device) => {
    const { text, isKeyFound } = filled(device);
    expect(linesOf(text)).toEqual(expect.arrayContaining(lines[device]));
    for (const address of addresses) expect(text).toContain(address);
    expect([isKeyFound, /undefined|NaN|LOAD_BALANCER/.exec(text)]).toEqual([true, null]);
    expect(text.endsWith("\n")).toBe(true);
  });

  it.each(all)("%s says at its top what to fill in, who checked it, and that it is secret", (device) => {
    const { text, fillIn } = filled(device);
    const [head = "", body = ""] = text.split(/\n\n(.*)/s);
    expect(head.split("\n").every((line) => /^[#!]/.test(line))).toBe(true);
    expect(head).toMatch(/SECRET: this file holds the pre-shared key\.\n. Checked (by parser|with strongSwan)/);
    const places = new Set([...body.matchAll(/<FILL_IN:(\w+)>/g)].map(([, name]) => name));
    expect([...places].sort()).toEqual([...fillIn].sort());
    for (const name of fillIn)
      expect(head).toMatch(new RegExp(`^.   <FILL_IN:${name}>  the .+|^.   <FILL_IN:${name}>  a `, "m"));
    expect(fillIn.length > 0).toBe(device !== "strongswan");
  });

  it.each(all)("%s takes AES-CBC, and names weak algorithms", (device) => {
    const cbc = { phase1EncryptionAlgorithms: ["AES128"], phase2EncryptionAlgorithms: ["AES128"] };
    const { text } = filled(device, { ...cbc, phase2IntegrityAlgorithms: ["SHA1"], phase2DHGroupNumbers: [2] });
    const expected: Record<Device, string[]> = {
      strongswan: ["proposals = aes128-sha384-ecp384", "esp_proposals = aes128-sha1-modp1024"],
      fortigate: ["set proposal aes128-sha384", "set proposal aes128-sha1", "set dhgrp 2"],
      "cisco-ios-xe": [
        "encryption aes-cbc-128",
        "integrity sha384",
        "crypto ipsec transform-set fd-tnl1 esp-aes 128 esp-sha-hmac",
      ],
      "pan-os": ["set network ike crypto-profiles ipsec-crypto-profiles fd-tnl1 esp authentication sha1"],
    };
    expect(linesOf(text)).toEqual(expect.arrayContaining(expected[device]));
    expect(text).toContain("WEAK: SHA1, group 2.");
    expect(filled(device).text).not.toContain("WEAK");
  });

  it.each(all)("%s marks each value that the service did not give", (device) => {
    const { text, fillIn, isKeyFound } = render(device, { ...tunnel, nlbPrivateIp: "" }, {}, "no key here");
    expect(isKeyFound).toBe(false);
    expect(text).toContain("The pre-shared key is missing");
    expect(text).toContain("did not name its IKE versions. This file uses IKEv2.");
    expect(fillIn).toEqual(
      expect.arrayContaining([
        "SERVICE_ADDRESS",
        "LOAD_BALANCER",
        "DPD_INTERVAL",
        "PRE_SHARED_KEY",
        "PHASE_2_LIFETIME",
      ]),
    );
    const body = text.split(/\n\n(.*)/s)[1] ?? "";
    expect(/28800|3600|aes|sha[123]|group\d|169\.254/.exec(body)).toBeNull();
    expect(/undefined|NaN/.exec(text)).toBeNull();
  });

  it.each(all)("%s leaves one missing value only", (device) => {
    const { fillIn } = render(device, tunnel, without("dpdTimeoutSeconds"), keyLine);
    expect(fillIn.filter((name) => !filled(device).fillIn.includes(name))).toEqual(["DPD_INTERVAL"]);
  });

  it.each<[string, RegExp, Partial<TunnelConfigEntry>, Partial<TunnelResult>]>([
    [
      "an address with a new line",
      /as outsideIpAddress.*\[device-value-refused\]$/,
      { outsideIpAddress: "1.2.3.4\n}" },
      {},
    ],
    ["an IPv6 address", /as peerPublicIp.*\[device-value-refused\]$/, {}, { peerPublicIp: "2001:db8::1" }],
    ["a network with a command", /as peerCidr.*\[device-value-refused\]$/, {}, { peerCidr: "10.0.0.0/8 any" }],
    ["an inside network of one host", /as insideCidr.*\[device-value-refused\]$/, { insideCidr: "169.254.1.1/32" }, {}],
    ["a negative time", /as phase1LifetimeSeconds.*\[device-value-refused\]$/, { phase1LifetimeSeconds: -1 }, {}],
    ["IKEv1 alone", /needs IKEv2.*\[device-no-common\]$/, { ikeVersions: ["ikev1"] }, {}],
    [
      "unknown algorithms",
      /encryption of phase 2.*\[device-no-common\]$/,
      { phase2EncryptionAlgorithms: ["ROT13"] },
      {},
    ],
    ["unknown groups", /group of phase 1.*\[device-no-common\]$/, { phase1DHGroupNumbers: [99] }, {}],
  ])("every device refuses %s", (_what, message, change, tunnelChange) => {
    for (const device of all)
      expect(() => render(device, { ...tunnel, ...tunnelChange }, { ...entry, ...change }, keyLine)).toThrow(message);
  });

  it.each(all)("%s needs a tunnel configuration", (device) => {
    expect(() => render(device, tunnel, undefined, keyLine)).toThrow(/\[tunnel-config-missing\]$/);
  });

  it.each(all)("%s keeps a hostile name in one comment", (device) => {
    const { text } = render(device, { ...tunnel, name: "x\nset admin\u2028'\"?`$(id)" }, entry, keyLine);
    expect(text.split("\n")[0]).toMatch(/^[#!] .* x set admin _+\(id\) \(tnl-1\)$/);
    expect(linesOf(text)).not.toContain("set admin");
  });
});

describe("a pre-shared key", () => {
  const asSample = (key: string) => `secret = "${key}"`;
  const hex = (key: string) => Buffer.from(key).toString("hex");

  it.each(['a"b', "a\\b", "a}b", "a#b", "a?b", "a$b c", "0xabcdef", "0sYWJj", "00xabc", "a;b", "a'b"])(
    "%j never breaks out",
    (key) => {
      const line = (device: Device) => linesOf(filled(device, {}, asSample(key)).text);
      if (key.includes('"')) {
        // A quoted form ends there, so it is not found.
        expect(keyIn(asSample(key), undefined).key).toBeUndefined();
        return;
      }
      expect(line("strongswan")).toContain(`secret = 0x${hex(key)}`);
      expect(line("fortigate")).toContain(`set psksecret 0x${hex(key)}`);
      for (const device of ["cisco-ios-xe", "pan-os"] as const)
        expect(() => line(device)).toThrow(
          /key that .* could read as something else \((".+"|its form)\).*\[device-value-refused\]$/,
        );
    },
  );

  it.each<[Device, string]>([
    ["cisco-ios-xe", "6"],
    ["cisco-ios-xe", "hex"],
    ["pan-os", "-AQ==abcdef"],
    ["strongswan", "schlüssel"],
    ["fortigate", "tab\tbed"],
  ])("of another meaning to %s is refused, and not shown: %j", (device, key) => {
    const attempt = () => filled(device, {}, asSample(key));
    expect(attempt).toThrow(/\[device-value-refused\]$/);
    if (key.length > 3) expect(attempt).not.toThrow(key);
  });

  const key = "Ab.9_cdEF-x==";
  it.each([
    ` pre-shared-key ${key}`,
    ` pre-shared-key local 0 ${key}`,
    `  pre-shared-key address 198.51.100.1 key ${key}`,
    `crypto isakmp key ${key} address 198.51.100.1`,
    `  - Pre-Shared Key           : ${key}`,
    `set security ike policy p pre-shared-key ascii-text "${key}"`,
    `set network ike gateway g authentication pre-shared-key key ${key}`,
    `    set psksecret ${key}`,
    `203.0.113.7 198.51.100.1 : PSK "${key}"`,
    `    secret = ${key}`,
    `<pre_shared_key>${key}</pre_shared_key>`,
    `pre-shared-key ${key}\r`,
  ])("is found in: %s", (line) => {
    expect(keyIn(`! head\nauthentication local pre-share\n${line}\n! end\n`, "198.51.100.1").key).toBe(key);
  });

  it.each([
    "no key",
    "! pre-shared-key in-the-portal",
    "# pre-shared-key: see the portal",
    " pre-shared-key <your key>",
    " pre-shared-key ********",
    " pre-shared-key one\n pre-shared-key two",
    "auth-method=pre-shared-key secret=",
  ])("is not guessed from: %j", (text) => {
    expect(keyIn(text, "198.51.100.1").key).toBeUndefined();
  });

  it("of two is the one on the line of the service's address", () => {
    const lines = ["198.51.100.1", "198.51.100.2"].map((address, n) => `pre-shared-key address ${address} key k${n}`);
    expect(keyIn(lines.join("\n"), "198.51.100.2").key).toBe("k1");
    expect(keyIn(lines.join("\n"), "198.51.100.3").missing).toMatch(/of which .* has 2: choose/);
  });

  it.each([
    [" pre-shared-key abc;", "abc;"],
    ["set psksecret a;b;", "a;b;"],
    ["set security ike policy p pre-shared-key ascii-text abc;", "abc"],
    ['pre-shared-key ascii-text "abc;";', "abc;"],
  ])("keeps a semicolon of its own in: %s", (line, own) => {
    expect(keyIn(line, undefined).key).toBe(own);
  });

  it.each([
    [" pre-shared-key ****", /masks: ask for the key$/],
    ["pre-shared-key: [REDACTED]", /masks: ask for the key$/],
    ["secret = (hidden)", /masks: ask for the key$/],
    ["set psksecret ENC AAABBB==", /only encrypted: ask for the key$/],
    ['pre-shared-key ascii-text "$9$abc";', /only encrypted: ask for the key$/],
    ["crypto isakmp key 6 ABC address 198.51.100.1", /only encrypted: ask for the key$/],
    ["no key", /not found/],
  ])("is missing for a reason in: %s", (line, missing) => {
    expect(keyIn(line, "198.51.100.1")).toEqual({ missing: expect.stringMatching(missing) as string });
  });
});

describe("frontdoor device-config", () => {
  let key: string;
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
    key = emulator.samplePsk("tnl-1");
  });
  const textOf = (name: string) => fs.readFileSync(here.path(name), "utf8");

  it.each(all)("writes the configuration of %s to a file that only its owner can read", async (device) => {
    const { code, text, stderr } = await here.run(`device-config hq --device ${device} --out hq.conf`);
    expect([code, text.includes(key), fs.statSync(here.path("hq.conf")).mode & 0o777]).toEqual([0, false, 0o600]);
    expect(textOf("hq.conf")).toContain(key);
    expect(stderr).toMatch(/^hq\.conf is written\. It holds the pre-shared key, and only you can read it\./m);
    if (device !== "strongswan") expect(stderr).toMatch(/Fill in: OUTSIDE_INTERFACE/);
  });

  it("tells what it wrote as one document without the key", async () => {
    const { code, stdout, text } = await here.run("device-config hq --device fortigate --out hq.conf --json");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        tunnel: { id: "tnl-1", name: "hq" },
        ...{
          device: "fortigate",
          fillIn: ["OUTSIDE_INTERFACE", "INSIDE_INTERFACE"],
          isKeyFound: true,
          written: "hq.conf",
        },
      },
    ]);
    expect(text).not.toContain(key);
  });

  it("prints the configuration with --force or --out - only", async () => {
    const refused = await here.run("device-config hq --device pan-os");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(/the device configuration holds .* --out FILE\. \[key-not-printed\]\n$/);
    expect((await here.onTerminal("device-config hq --device pan-os --json").end).code).toBe(2);
    expect(here.emulator.requests).toEqual([]);
    for (const way of ["--force", "--out -", "--out - --json"])
      expect((await here.run(`device-config hq --device pan-os ${way}`)).stdout).toContain(key);
  });

  it("lists the four devices if the name is wrong or missing", async () => {
    for (const [line, code] of [
      ["--device cisco --out x", "wrong-usage"],
      ["--out x", "invalid-option"],
    ] as const) {
      const wrong = await here.run(`device-config hq ${line}`);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(all.join(", "))]);
      expect(wrong.stderr).toContain(`[${code}]`);
    }
    expect(here.emulator.requests).toEqual([]);
  });

  it("writes nothing for a tunnel that is not ready", async () => {
    here.emulator.setStatus("tnl-1", "NEW");
    expect((await here.run("device-config hq --device strongswan --out hq.conf")).code).toBe(1);
    expect(fs.existsSync(here.path("hq.conf"))).toBe(false);
  });

  it("finds a tunnel by its logical name in the selected stack", async () => {
    fs.mkdirSync(here.path("state"), { recursive: true });
    fs.writeFileSync(here.path("Pulumi.yaml"), "name: net\nruntime: nodejs\n");
    here.emulator.seedTunnel({ id: "tnl-2", name: "net-dev-branch", locationId: "loc-2" });
    await here.place.pulumi(["stack", "init", "dev"]);
    const { code, text } = await here.run("device-config branch --device strongswan --out branch.conf");
    expect([code, text]).toEqual([0, expect.stringContaining("branch.conf is written")]);
    expect(textOf("branch.conf")).toContain(here.emulator.samplePsk("tnl-2"));
  });
});
