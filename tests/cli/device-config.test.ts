import * as fs from "node:fs";
import { join } from "node:path";
import { filledIn, render, type Rendered, renderRemoval } from "../../cli/device-render";
import { type Device, devices as all, templateOf } from "../../cli/device-templates";
import type { TunnelConfigEntry, TunnelResult } from "../../provider/functions/args";
import { keyIn } from "../../provider/functions/pre-shared-key";
import { root } from "../harness/folder";
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

const ports = [8443, 443, 8444];

const filled = (device: Device, change: Partial<TunnelConfigEntry> = {}, sample = keyLine) =>
  render(device, { tunnel, entry: { ...entry, ...change }, sample, ports });
const linesOf = (text: string) => text.split("\n").map((line) => line.trim());
const without = (...names: (keyof TunnelConfigEntry)[]): TunnelConfigEntry =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name as keyof TunnelConfigEntry)));

describe("--fill", () => {
  const one = (given: string[]): Rendered => {
    const [only] = filledIn([filled("fortigate")], given);
    return only ?? filled("fortigate");
  };

  it("fills in the places that it names, and leaves the others", () => {
    const { text, fillIn } = one(["OUTSIDE_INTERFACE=wan1"]);
    expect(fillIn).toEqual(["INSIDE_INTERFACE"]);
    expect(text).toContain('set interface "wan1"');
    expect(text).not.toContain("OUTSIDE_INTERFACE");
    const whole = one(["OUTSIDE_INTERFACE=wan1", "INSIDE_INTERFACE=$&lan"]);
    expect(whole.text).toContain('set srcintf "$&lan"');
    expect(whole.text).toContain("# There is nothing to fill in.");
    expect(whole.text).not.toMatch(/FILL_IN|Fill in before/);
  });

  it.each(["WAN=wan1", "OUTSIDE_INTERFACE", "OUTSIDE_INTERFACE=", "OUTSIDE_INTERFACE=a b"])("refuses %s", (given) => {
    expect(() => one([given])).toThrow(/OUTSIDE_INTERFACE, INSIDE_INTERFACE.*\[invalid-option\]/);
  });
});

describe("the template of", () => {
  const addresses = ["198.51.100.1", "203.0.113.7", "10.90.0.10"];
  const lines: Record<Device, string[]> = {
    strongswan: [
      ...["version = 2", "remote_addrs = 198.51.100.1", "id = 203.0.113.7", "id = 198.51.100.1"],
      ...["proposals = aes256gcm16-prfsha384-ecp384", "rekey_time = 28260", "over_time = 540", "rand_time = 270"],
      ...["local_ts = 10.20.0.0/16", "remote_ts = 10.90.0.10/32", "esp_proposals = aes256gcm16-ecp256"],
      ...["life_time = 3600", "rekey_time = 3060", "dpd_delay = 15", "start_action = trap|start", 'secret = "a_Key.9"'],
    ],
    fortigate: [
      ...["set ike-version 2", "set proposal aes256gcm-prfsha384", "set dhgrp 20", "set keylife 28800"],
      ...['set localid "203.0.113.7"', "set nattraversal enable", "set dpd-retryinterval 15"],
      ...["set remote-gw 198.51.100.1", 'set psksecret "a_Key.9"', "set proposal aes256gcm", "set dhgrp 19"],
      ...["set keylifeseconds 3600", "set ip 169.254.10.2 255.255.255.255", "set tcp-mss-sender 1360"],
      ...["set remote-ip 169.254.10.1 255.255.255.252", "set dst 10.90.0.10 255.255.255.255"],
      ...["set subnet 10.20.0.0 255.255.0.0", "set src-subnet 0.0.0.0 0.0.0.0"],
      ...["set keepalive enable", "set blackhole enable", "set distance 254"],
    ],
    "cisco-ios-xe": [
      ...["encryption aes-gcm-256", "prf sha384", "group 20", "address 198.51.100.1", "pre-shared-key a_Key.9"],
      ...["identity local address 203.0.113.7", "lifetime 28800", "dpd 15 3 periodic", "set pfs group19"],
      ...["crypto ipsec transform-set fd-tnl1 esp-gcm 256", "set security-association lifetime seconds 3600"],
      ...["ip address 169.254.10.2 255.255.255.252", "ip tcp adjust-mss 1360", "tunnel destination 198.51.100.1"],
      "ip route 10.90.0.10 255.255.255.255 Tunnel<FILL_IN:TUNNEL_NUMBER>",
      ...[
        "match address local <FILL_IN:OUTSIDE_ADDRESS>",
        "ip route 10.90.0.10 255.255.255.255 Null0 250",
        "write memory",
      ],
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
    "strongswan-ipsec-conf": [
      ...["keyexchange=ikev2", "leftid=203.0.113.7", "leftsubnet=10.20.0.0/16", "right=198.51.100.1"],
      ...["rightsubnet=10.90.0.10/32", "ike=aes256gcm16-prfsha384-ecp384!", "esp=aes256gcm16-ecp256!"],
      ...["ikelifetime=28800s", "lifetime=3600s", "margintime=540s", "rekeyfuzz=50%", "dpddelay=15s"],
      '203.0.113.7 198.51.100.1 : PSK "a_Key.9"',
    ],
    "cisco-asa": [
      ...["encryption aes-gcm-256", "integrity null", "group 20", "prf sha384", "lifetime seconds 28800"],
      ...["protocol esp encryption aes-gcm-256", "protocol esp integrity null", "set pfs group19"],
      ...["isakmp keepalive threshold 15 retry 3", "ikev2 local-authentication pre-shared-key a_Key.9"],
      ...[
        "ip address 169.254.10.2 255.255.255.252",
        "tunnel destination 198.51.100.1",
        "sysopt connection tcpmss 1360",
      ],
      ...["route fd-tnl1 10.90.0.10 255.255.255.255 169.254.10.1 1", "nameif fd-tnl1"],
    ],
    "juniper-srx": [
      ...["encryption-algorithm aes-256-cbc", "authentication-algorithm sha-384", "dh-group group20"].map(
        (line) => `set security ike proposal fd-tnl1 ${line}`,
      ),
      ...['pre-shared-key ascii-text "a_Key.9"', "proposals fd-tnl1"].map(
        (line) => `set security ike policy fd-tnl1 ${line}`,
      ),
      ...["address 198.51.100.1", "local-identity inet 203.0.113.7", "dead-peer-detection interval 15"].map(
        (line) => `set security ike gateway fd-tnl1 ${line}`,
      ),
      "set security ipsec proposal fd-tnl1 encryption-algorithm aes-256-gcm",
      "set security ipsec policy fd-tnl1 perfect-forward-secrecy keys group19",
      "set security flow tcp-mss ipsec-vpn mss 1360",
      "set security address-book global address fd-tnl1-site 10.20.0.0/16",
      "set interfaces st0 unit <FILL_IN:TUNNEL_NUMBER> family inet address 169.254.10.2/30",
      "set routing-options static route 10.90.0.10/32 next-hop st0.<FILL_IN:TUNNEL_NUMBER>",
      "set security policies from-zone <FILL_IN:INSIDE_ZONE> to-zone <FILL_IN:OUTSIDE_ZONE> policy fd-tnl1-down then deny",
    ],
    mikrotik: [
      "add name=fd-tnl1 enc-algorithm=aes-256 hash-algorithm=sha384 dh-group=ecp384 lifetime=28800s dpd-interval=15s dpd-maximum-failures=3 nat-traversal=yes",
      "add name=fd-tnl1 address=198.51.100.1/32 exchange-mode=ike2 profile=fd-tnl1",
      'add peer=fd-tnl1 auth-method=pre-shared-key my-id=address:203.0.113.7 remote-id=address:198.51.100.1 secret="a_Key.9"',
      'add name=fd-tnl1 enc-algorithms=aes-256-gcm auth-algorithms="" pfs-group=ecp256 lifetime=3600s',
      "add peer=fd-tnl1 proposal=fd-tnl1 tunnel=yes src-address=10.20.0.0/16 dst-address=10.90.0.10/32",
    ],
    pfsense: [
      ...["Remote Gateway: 198.51.100.1", "My identifier: IP address, 203.0.113.7", "Pre-Shared Key: a_Key.9"],
      ...["Encryption Algorithm: AES256-GCM, 128 bits", "Hash: SHA384", "DH Group: 20", "Life Time: 28800"],
      ...["Encryption Algorithms: AES256-GCM, 128 bits, and no other", "PFS key group: 19", "Delay: 15"],
      ...["Local Network: Network, 10.20.0.0/16", "Remote Network: Address, 10.90.0.10", "Enable Maximum MSS: 1360"],
      ...["Source: Network, 10.20.0.0/16", "Destination: 10.90.0.10"],
    ],
    "check-point": [
      ...["IPv4 address: 198.51.100.1", "IKE SA (Phase 1) Encryption Algorithm: AES-256"],
      ...["IKE SA (Phase 1) Data Integrity: SHA384", "IPsec SA (Phase 2) Encryption Algorithm: AES-GCM-256"],
      ...["Use Perfect Forward Secrecy: Group 19", "Shared Secret of fd-tnl1: a_Key.9"],
      ...["Renegotiate IKE security associations every (minutes): 480", "MTU of that interface: 1400"],
      "tunnel_keepalive_method, of your gateway and of fd-tnl1: dpd, every 15 seconds",
    ],
    generic: [
      ...["Encryption: AES256-GCM-16", "Integrity and PRF: SHA2-384", "Diffie-Hellman group: 20"],
      ...["Perfect forward secrecy, group: 19", "Pre-shared key: a_Key.9", "TCP MSS: 1360"],
      ...["Lifetime, in seconds: 28800", "Renew it after, in seconds: 28260", "Route into the tunnel: 10.90.0.10/32"],
      "Policy-based: local selector 10.20.0.0/16, remote selector 10.90.0.10/32",
      "Dead peer detection: every 15 seconds, three times, then start again",
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
    expect(head).toMatch(/^. For the tunnel hq \(tnl-1\)\n. SECRET: this file holds the pre-shared key\.\n/);
    const { make, model, firmware, load, checked } = templateOf(device);
    expect(head.split("\n").map((line) => line.slice(2))).toEqual(
      expect.arrayContaining([
        ...[`Make: ${make}`, `Model: ${model}`, `Firmware: ${firmware}`, `Load: ${load}`, `Checked: ${checked}`],
      ]),
    );
    const places = new Set([...body.matchAll(/<FILL_IN:(\w+)>/g)].map(([, name]) => name));
    expect([...places].sort()).toEqual([...fillIn].sort());
    for (const name of fillIn) expect(head).toMatch(new RegExp(`^.   <FILL_IN:${name}>  (the|a) .`, "m"));
    expect(fillIn).toEqual(templateOf(device).places.map(([mark]) => mark.slice("<FILL_IN:".length, -1)));
    expect(`${head}${body}`).not.toMatch(/\{\{|\}\}/);
  });

  it.each<[Device, RegExp]>([
    ["fortigate", /["']/],
    ["cisco-ios-xe", /\?/],
    ["cisco-asa", /\?/],
  ])("%s has no character in its comments that the device answers: %s", (device, answered) => {
    const { text } = render(device, { tunnel: { ...tunnel, name: "a?b\"c'" }, entry: {}, sample: "no key", ports });
    expect(text.split("\n").filter((line) => /^[#!]/.test(line) && answered.test(line))).toEqual([]);
  });

  it.each(all)("%s takes AES-CBC, and names weak algorithms", (device) => {
    const cbc = { phase1EncryptionAlgorithms: ["AES128"], phase2EncryptionAlgorithms: ["AES128"] };
    // The template of ASA has no weak group.
    const weak = device === "cisco-asa" ? [14] : [2];
    const { text } = filled(device, { ...cbc, phase2IntegrityAlgorithms: ["SHA1"], phase2DHGroupNumbers: weak });
    const expected: Record<Device, string[]> = {
      strongswan: ["proposals = aes128-sha384-ecp384", "esp_proposals = aes128-sha1-modp1024"],
      fortigate: ["set proposal aes128-sha384", "set proposal aes128-sha1", "set dhgrp 2"],
      "cisco-ios-xe": [
        "encryption aes-cbc-128",
        "integrity sha384",
        "crypto ipsec transform-set fd-tnl1 esp-aes 128 esp-sha-hmac",
      ],
      "pan-os": ["set network ike crypto-profiles ipsec-crypto-profiles fd-tnl1 esp authentication sha1"],
      "strongswan-ipsec-conf": ["ike=aes128-sha384-ecp384!", "esp=aes128-sha1-modp1024!"],
      "cisco-asa": [
        "encryption aes",
        "integrity sha384",
        "protocol esp encryption aes",
        "protocol esp integrity sha-1",
      ],
      "juniper-srx": ["set security ipsec proposal fd-tnl1 authentication-algorithm hmac-sha1-96"],
      mikrotik: ["add name=fd-tnl1 enc-algorithms=aes-128-cbc auth-algorithms=sha1 pfs-group=modp1024 lifetime=3600s"],
      pfsense: ["Encryption Algorithm: AES, 128 bits", "Hash Algorithms: SHA1", "PFS key group: 2"],
      "check-point": ["IPsec SA (Phase 2) Encryption Algorithm: AES-128", "IPsec SA (Phase 2) Data Integrity: SHA1"],
      generic: ["Encryption: AES128", "Integrity: SHA1", "Perfect forward secrecy, group: 2"],
    };
    expect(linesOf(text)).toEqual(expect.arrayContaining(expected[device]));
    expect(text).toContain(device === "cisco-asa" ? "WEAK: SHA1." : "WEAK: SHA1, group 2.");
    expect(filled(device).text).not.toContain("WEAK");
  });

  it.each(all)("%s marks each value that the service did not give", (device) => {
    const { text, fillIn, isKeyFound } = render(device, {
      tunnel: { ...tunnel, nlbPrivateIp: "" },
      entry: {},
      sample: "no key here",
      ports,
    });
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
    const { fillIn } = render(device, { tunnel, entry: without("dpdTimeoutSeconds"), sample: keyLine, ports });
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
      expect(() =>
        render(device, {
          tunnel: { ...tunnel, ...tunnelChange },
          entry: { ...entry, ...change },
          sample: keyLine,
          ports,
        }),
      ).toThrow(message);
  });

  it.each(all)("%s needs a tunnel configuration", (device) => {
    expect(() => render(device, { tunnel, entry: undefined, sample: keyLine, ports })).toThrow(
      /\[tunnel-config-missing\]$/,
    );
  });

  it.each(all)("%s keeps a hostile name in one comment", (device) => {
    const { text } = render(device, {
      tunnel: { ...tunnel, name: "x\nset admin\u2028'\"?`$(id)" },
      entry,
      sample: keyLine,
      ports,
    });
    expect(text.split("\n")[0]).toMatch(/^[#!] .* x set admin _+\(id\) \(tnl-1\)$/);
    expect(linesOf(text)).not.toContain("set admin");
  });
});

describe("the ports of the shares", () => {
  const expected: [Device, string[]][] = [
    ["fortigate", ["set tcp-portrange 443 8443-8444", 'set service "fd-tnl1" "PING"']],
    [
      "pan-os",
      ["set service fd-tnl1 protocol tcp port 443,8443-8444", "set rulebase security rules fd-tnl1 service fd-tnl1"],
    ],
    [
      "juniper-srx",
      [
        "set applications application fd-tnl1 term 443 protocol tcp destination-port 443",
        "set applications application fd-tnl1 term 8443-8444 protocol tcp destination-port 8443-8444",
        "set security policies from-zone <FILL_IN:INSIDE_ZONE> to-zone <FILL_IN:TUNNEL_ZONE> policy fd-tnl1 match application fd-tnl1",
      ],
    ],
    ["pfsense", ["Destination Port Range: 443,8443-8444"]],
    ["check-point", ["Rule: from 10.20.0.0/16 to 10.90.0.10, TCP 443,8443-8444, accept"]],
  ];

  it.each(expected)("are what the policy of %s allows", (device, lines) => {
    const { text } = filled(device);
    expect(linesOf(text)).toEqual(expect.arrayContaining(lines));
    expect(
      /service (?:"ALL"|any)$|policy fd-tnl1 match application any|any service|Protocol: Any/m.exec(text),
    ).toBeNull();
  });

  it.each(expected)("are a place to fill in for %s while there is no share", (device) => {
    const { text, fillIn } = render(device, { tunnel, entry, sample: keyLine, ports: [] });
    expect(fillIn).toContain("PORTS");
    expect(text).toMatch(
      /^. {3}<FILL_IN:PORTS> {2}the ports of the applications, such as 443: the tunnel has no share yet$/m,
    );
  });
});

describe("--remove", () => {
  const removed: Record<Device, string[]> = {
    fortigate: ["delete <FILL_IN:POLICY_NUMBER>", 'delete "fd-tnl1-site"', "delete <FILL_IN:BLACKHOLE_NUMBER>"],
    "cisco-ios-xe": ["no interface Tunnel<FILL_IN:TUNNEL_NUMBER>", "no ip route 10.90.0.10 255.255.255.255 Null0 250"],
    "cisco-asa": ["clear configure tunnel-group 198.51.100.1", "no crypto ikev2 policy <FILL_IN:POLICY_NUMBER>"],
    "pan-os": ["delete service fd-tnl1", "delete network ike gateway fd-tnl1"],
    "juniper-srx": ["delete routing-options static route 10.90.0.10/32", "delete applications application fd-tnl1"],
    mikrotik: ["remove [find comment=fd-tnl1]", "remove [find peer=fd-tnl1]", "remove [find name=fd-tnl1]"],
    strongswan: ["rm /etc/swanctl/conf.d/<FILL_IN:FILE>", "swanctl --load-all"],
    "strongswan-ipsec-conf": ["ipsec update", "ipsec down fd-tnl1"],
    pfsense: ["Delete the P1 with the description fd-tnl1. Its P2 goes with it."],
    "check-point": ["Delete the interoperable device fd-tnl1."],
    generic: ["The route to 10.90.0.10/32"],
  };

  it.each(all)("%s: removes what its file configures, and has no key", (device) => {
    const { text, fillIn } = renderRemoval(device, { tunnel, entry });
    expect(linesOf(text)).toEqual(expect.arrayContaining(removed[device]));
    const [head = "", body = ""] = text.split(/\n\n(.*)/s);
    expect(head).toMatch(/^. Removes what the file for the tunnel hq \(tnl-1\) configured\n. For: .*\n[^]*^. Load: ./m);
    expect([...new Set([...body.matchAll(/<FILL_IN:(\w+)>/g)].map(([, name]) => name))].sort()).toEqual(
      [...fillIn].sort(),
    );
    for (const name of fillIn) expect(head).toContain(`   <FILL_IN:${name}>  the `);
    expect(/\{\{|undefined|SECRET|a_Key/.exec(text)).toBeNull();
    expect(text.split("\n").filter((line) => /^[#!]/.test(line) && /["'?]/.test(line))).toEqual([]);
    expect(filled(device).text).not.toMatch(/^----$|^delete|^no /m);
  });

  /** The objects that a body makes, each as the word that names it in what removes it. */
  const objects: [Device, RegExp, (match: string[]) => string][] = [
    ["pan-os", /^set (.*? fd-tnl1) /gm, ([, path = ""]) => `delete ${path}\n`],
    ["pan-os", /^set ((?:(?! fd-).)*? tunnel\.\S+)/gm, ([, path = ""]) => `delete ${path}\n`],
    ["juniper-srx", /^set (.*? fd-tnl1(?:-\w+)?) /gm, ([, path = ""]) => `delete ${path}\n`],
    [
      "cisco-ios-xe",
      /^(crypto ikev2 \w+ fd-tnl1|crypto ipsec (?:profile|transform-set) fd-tnl1|ip route .*|interface .*)/gm,
      ([, line = ""]) => `no ${line}\n`,
    ],
    [
      "cisco-asa",
      /^(crypto ipsec .*|route .*|interface .*|crypto ikev2 policy .*)$/gm,
      ([, line = ""]) => `no ${line}\n`,
    ],
    ["fortigate", /^config (?!system interface)(.*)$/gm, ([, table = ""]) => `config ${table}\n    delete `],
    ["mikrotik", /^(\/ip .*)$/gm, ([, menu = ""]) => `${menu}\nremove `],
  ];
  it.each(objects)("%s: leaves none of %s", (device, made, removing) => {
    const [, body = ""] = filled(device).text.split(/\n\n(.*)/s);
    const { text } = renderRemoval(device, { tunnel, entry });
    const expected = [...body.matchAll(made)].map(removing);
    expect(expected.length).toBeGreaterThan(1);
    expect(expected.filter((line) => !text.includes(line))).toEqual([]);
  });
});

it("each file of cli/devices/ is a device, and docs/how-to/set-up-the-device.md says what its head says", () => {
  expect(fs.readdirSync(join(root, "cli/devices")).sort()).toEqual(all.map((device) => `${device}.conf`).sort());
  const page = fs.readFileSync(join(root, "docs/how-to/set-up-the-device.md"), "utf8");
  const rows = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  expect(rows.filter(([, , name]) => /^`[a-z][\w-]+`$/.test(name ?? ""))).toEqual(
    all.map((device) => {
      const { make, model, firmware, load } = templateOf(device);
      return ["", `${make} ${model}, ${firmware}`, `\`${device}\``, load, ""];
    }),
  );
});

describe("a pre-shared key", () => {
  /** The form in which each of these keys is itself. */
  const asSample = (key: string) => `<pre_shared_key>${key}</pre_shared_key>`;
  const hex = (key: string) => Buffer.from(key).toString("hex");

  it.each(['a"b', "a\\b", "a}b", "a#b", "a?b", "a$b c", "0xabcdef", "0sYWJj", "00xabc", "a;b", "a'b"])(
    "%j never breaks out",
    (key) => {
      const line = (device: Device) => linesOf(filled(device, {}, asSample(key)).text);
      expect(line("strongswan")).toContain(`secret = 0x${hex(key)}`);
      expect(line("strongswan-ipsec-conf")).toContain(`203.0.113.7 198.51.100.1 : PSK 0x${hex(key)}`);
      expect(line("fortigate")).toContain(`set psksecret 0x${hex(key)}`);
      expect(line("juniper-srx")).toContain(`set security ike policy fd-tnl1 pre-shared-key hexadecimal "${hex(key)}"`);
      for (const device of ["cisco-ios-xe", "cisco-asa", "pan-os"] as const) {
        const named = /^0+[xs]/.exec(key)?.[0] ?? /[^\w]/.exec(key)?.[0];
        expect(() => line(device)).toThrow(
          `that ${templateOf(device).make} ${templateOf(device).model} could read as something else (${JSON.stringify(named)})`,
        );
      }
      for (const device of ["generic", "pfsense", "check-point"] as const)
        expect(line(device).filter((each) => each.endsWith(`: ${key}`))).toHaveLength(1);
    },
  );

  it.each([
    ["a\\b", '"a\\5Cb"'],
    ["a?b$c d{}", '"a\\3Fb\\24c\\20d\\7B\\7D"'],
    ["0xabcdef", `"0x${hex("0xabcdef")}"`],
  ])("%j is %s in RouterOS", (key, secret) => {
    expect(filled("mikrotik", {}, asSample(key)).text).toContain(` secret=${secret}\n`);
  });

  it.each<[Device, string]>([
    ["cisco-ios-xe", "6"],
    ["cisco-ios-xe", "hex"],
    ["pan-os", "-AQ==abcdef"],
    ["fortigate", "tab\tbed"],
    ...all.map((device) => [device, "schlüssel"] as [Device, string]),
    ...(["generic", "pfsense", "check-point"] as const).map((device) => [device, "#edged "] as [Device, string]),
  ])("of another meaning to %s is refused, and not shown: %j", (device, key) => {
    const attempt = () => filled(device, {}, asSample(key));
    expect(attempt).toThrow(/\[device-value-refused\]$/);
    const [character] = /[ü\t]| $/.exec(key) ?? [];
    if (character !== undefined) expect(attempt).toThrow(`(${JSON.stringify(character)})`);
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
    `pre-shared-key ${key}\nsecret = "${key}"`,
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

  it.each([
    ['pre-shared-key a"b', "a quotation mark"],
    [" pre-shared-key address 198.51.100.1 key a'b", "an apostrophe"],
    ['secret = "a"b"', "a quotation mark"],
    ['secret = "a\\b"', "a backslash"],
    ["secret = 'a b", "an apostrophe"],
    ['set psksecret "a\\"b"', "a backslash"],
    ['Pre-Shared Key: "a "b" c"', "a quotation mark"],
    ['203.0.113.7 198.51.100.1 : PSK "a', "a quotation mark"],
    ['set security ike policy p pre-shared-key ascii-text "a\\"b";', "a backslash"],
    ["<pre_shared_key>a&amp;b</pre_shared_key>", "an ampersand"],
  ])("is not cut where its form is unclear, and the character is named: %s", (line, character) => {
    const missing = `whose form is unclear because of ${character}: copy it from the sample configuration`;
    expect(keyIn(`! head\n${line}\n! end`, "198.51.100.1")).toEqual({ missing });
    expect(filled("generic", {}, line).text).toContain(missing);
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
    [" pre-shared-key ab******", /masks: ask for the key$/],
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

describe("pulumi-frontdoor device-config", () => {
  let key: string;
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", ingressPort: 8443 });
    key = emulator.samplePsk("tnl-1");
  });
  const textOf = (name: string) => fs.readFileSync(here.path(name), "utf8");

  it.each(all)("writes the configuration of %s to a file that only its owner can read", async (device) => {
    const { code, text, stderr } = await here.run(`device-config hq --device ${device} --out hq.conf`);
    expect([code, text.includes(key), fs.statSync(here.path("hq.conf")).mode & 0o777]).toEqual([0, false, 0o600]);
    expect(textOf("hq.conf")).toContain(key);
    expect(stderr).toMatch(/^hq\.conf is written\. It holds the pre-shared key, and only you can read it\./m);
    expect(stderr.includes("Fill in: ")).toBe(templateOf(device).places.length > 0);
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

  it("--remove prints what removes the configuration, and has no key", async () => {
    const { code, stdout, text } = await here.run("device-config hq --device pan-os --remove");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^delete service fd-tnl1$/m)]);
    expect(text).not.toContain(key);
    const { stderr } = await here.run("device-config hq --device mikrotik --remove --out off.txt");
    expect(stderr).toMatch(/^off\.txt is written\. It holds no key\.$/m);
    expect(textOf("off.txt")).not.toContain(key);
  });

  it("fills in the ports of the tunnel's shares", async () => {
    here.emulator.seedShare({ id: "shr-2", name: "api", ipsecTunnelId: "tnl-1", ingressPort: 9000 });
    here.emulator.setStatus("shr-2", "DELETING");
    await here.run("device-config hq --device fortigate --out hq.conf");
    expect(textOf("hq.conf")).toContain("set tcp-portrange 8443\n");
  });

  describe("--all", () => {
    const entry = (name: string, id: string, outputs: object = {}) => ({
      ...{ urn: `urn:pulumi:dev::net::frontdoor:index:IpsecTunnel::${name}`, type: "frontdoor:index:IpsecTunnel" },
      ...{ custom: true, id, inputs: {}, outputs: { frontdoorId: "fd-1", ...outputs } },
    });
    const openStack = async (...resources: object[]) => {
      for (const folder of ["state", "sites"]) fs.mkdirSync(here.path(folder), { recursive: true });
      fs.writeFileSync(here.path("Pulumi.yaml"), "name: net\nruntime: nodejs\n");
      await here.workspace.pulumi(["stack", "init", "dev"]);
      const manifest = { time: "2026-11-25T00:00:00Z", magic: "", version: "" };
      fs.writeFileSync(here.path("state.json"), JSON.stringify({ version: 3, deployment: { manifest, resources } }));
      await here.workspace.pulumi(["stack", "import", "--stack", "dev", "--file", "state.json", "--force"]);
    };
    const line = "device-config --all --device fortigate --out sites";

    it("writes a file for each tunnel of the selected stack, with the same values filled in", async () => {
      here.emulator.seedTunnel({ id: "tnl-2", name: "made-by-hand", locationId: "loc-2" });
      here.emulator.seedTunnel({ id: "tnl-3", name: "of another stack", locationId: "loc-3" });
      await openStack(
        entry("hq", "tnl-1"),
        entry("../branch", "tnl-2"),
        entry("far", "tnl-9", { frontdoorId: "fd-9" }),
      );
      const { code, stderr } = await here.run(`${line} --fill OUTSIDE_INTERFACE=wan1`);
      expect([code, fs.readdirSync(here.path("sites")).sort()]).toEqual([0, ["_._branch.conf", "hq.conf"]]);
      expect(stderr).toMatch(/^sites\/hq\.conf is written\. It holds .* Fill in: INSIDE_INTERFACE\.$/m);
      for (const [file, id] of [
        ["hq", "tnl-1"],
        ["_._branch", "tnl-2"],
      ] as const) {
        const text = textOf(`sites/${file}.conf`);
        expect(text).toContain('set interface "wan1"');
        expect(text).toContain(here.emulator.samplePsk(id));
        expect(fs.statSync(here.path(`sites/${file}.conf`)).mode & 0o777).toBe(0o600);
      }
      expect((await here.run(line)).stderr).toMatch(/exists already.*\[file-exists\]\n$/);
      expect((await here.run(`${line} --remove`)).code).toBe(0);
      expect(textOf("sites/hq-remove.txt")).toContain('delete "fd-tnl1"');
    });

    it("names a tunnel that it can't write, and writes the others", async () => {
      here.emulator.seedTunnel({ id: "tnl-2", name: "new", locationId: "loc-2" });
      here.emulator.setStatus("tnl-2", "NEW");
      await openStack(entry("branch", "tnl-2"), entry("hq", "tnl-1"));
      const { code, stdout, text } = await here.run(`${line} --json`);
      expect([code, fs.readdirSync(here.path("sites"))]).toEqual([1, ["hq.conf"]]);
      expect(JSON.parse(stdout)).toMatchObject({
        device: "fortigate",
        sites: [{ tunnel: { id: "tnl-1" }, written: "sites/hq.conf" }],
        failed: [expect.stringMatching(/^branch: /) as string],
      });
      expect(text).not.toContain(key);
    });

    it("needs a folder, a stack with tunnels, and no tunnel beside it", async () => {
      for (const [wrong, says] of [
        ["device-config --all --device fortigate", /--out FOLDER\. \[invalid-option\]\n$/],
        ["device-config hq --all --device fortigate --out sites", /\[options-conflict\]\n$/],
        [line, /no stack is selected .*\[invalid-option\]\n$/],
      ] as const)
        expect(await here.run(wrong)).toMatchObject({ code: 2, stderr: expect.stringMatching(says) as string });
      await openStack();
      expect((await here.run(line)).stderr).toMatch(
        /stack dev has no tunnel of front door fd-1 .*\[invalid-option\]\n$/,
      );
    });
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

  it("names the devices if the name or the tunnel is wrong or missing", async () => {
    for (const [line, code] of [
      ["hq --device cisco --out x", "wrong-usage"],
      ["hq --out x", "invalid-option"],
      ["--device fortigate --out x", "invalid-option"],
    ] as const) {
      const wrong = await here.run(`device-config ${line}`);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(all.join(", "))]);
      expect(wrong.stderr).toContain(`[${code}]`);
    }
    expect(here.emulator.requests).toEqual([]);
  });

  it("--list prints make, model, firmware and check of each device, and sends no request", async () => {
    const { stdout } = await here.run("device-config --list");
    const { devices } = JSON.parse((await here.run("device-config --list --json")).stdout) as {
      devices: (Record<"make" | "model" | "firmware" | "load" | "checked", string> & { device: Device })[];
    };
    expect(devices.map(({ device }) => device)).toEqual(all);
    const lines = stdout.split("\n").map((line) => line.split(/ {2,}/));
    for (const { device, make, model, firmware, load, checked } of devices) {
      expect(lines).toContainEqual([device, make, model, firmware, checked]);
      expect([make, model, firmware, load, checked].filter((each) => each === "")).toEqual([]);
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
    await here.workspace.pulumi(["stack", "init", "dev"]);
    const { code, text } = await here.run("device-config branch --device strongswan --out branch.conf");
    expect([code, text]).toEqual([0, expect.stringContaining("branch.conf is written")]);
    expect(textOf("branch.conf")).toContain(here.emulator.samplePsk("tnl-2"));
  });
});
