import { keysIn } from "../../policy/keys";

// Lines as they stand in configurations, scripts, templates and notes; all of it written for this table.

const key = "Kd7+vWq2Tn/5rXbE";

/** Each sets a pre-shared key. */
const settingKeys: readonly string[] = [
  // Routers and firewalls
  ...["set psksecret swordfish", "set psksecret ENC 7Gh2kLmN0pQr=="],
  ...["crypto isakmp key hunter2 address 0.0.0.0 0.0.0.0", `crypto isakmp key 6 ${key} hostname site.example`],
  ...[" pre-shared-key rosebud", "  pre-shared-key remote 0 rosebud", " pre-shared-key hex 5f3a9c77be"],
  "  pre-shared-key address 0.0.0.0 0.0.0.0 key rosebud",
  " ikev2 remote-authentication pre-shared-key 0 qwertyuiop",
  "set security ike policy p1 pre-shared-key ascii-text rosebud",
  'set security ike policy p1 pre-shared-key ascii-text "$9$abcDEF12/gh"; ## SECRET-DATA',
  "pre-shared-key hexadecimal 00112233445566778899aabbccddeeff;",
  "set network ike gateway gw1 authentication pre-shared-key key rosebud",
  `set vpn ipsec site-to-site peer east authentication pre-shared-secret '${key}'`,
  ...["set vpn ipsec authentication psk east secret 'rosebud'", `/ip ipsec identity add peer=east secret=${key}`],
  '/ip ipsec identity add peer=east auth-method=pre-shared-key secret="rosebud" comment=east',
  ...[" pre-shared-key cipher %^%#Jq8xT2%^%#", " pre-shared-key simple rosebud", " shared-key 7 08351F1B1D43"],
  ...["  shared-secret rosebud", `set vpn tunnel east pre-shared-secret ascii-text ${key}`],
  ...[`crypto-local isakmp key "${key}" address 198.51.100.9 netmask 255.255.255.255`, "ike-key 1q2w3e4r"],
  // Daemons
  ...[`: PSK "${key}"`, "%any : PSK 0x6b8f2d41"],
  `secrets {\n  ike-east {\n    id = east.example\n    secret = "${key}"\n  }\n}`,
  "secrets { ike-1 { secret = 0sc3dvcmRmaXNo } }",
  `ikev2 active esp from 10.1.0.0/16 to 10.2.0.0/16 peer 198.51.100.9 psk "${key}"`,
  "PresharedKey = VGhlIHF1aWNrIGJyb3duIGZveA==",
  // Sheets for a site
  ...[`Pre-Shared Key           : ${key}`, "Shared secret = 12345678", "psk swordfish", `The psk ${key}`],
  // Settings, templates, scripts
  ...[`{"psk":"${key}"}`, '{"tunnels":[{"preSharedKey":"rosebud","mtu":1400}]}', `{\\"sharedKey\\":\\"${key}\\"}`],
  ...["  psk: s3cr", `tunnel1_preshared_key = "${key}"`, `<pre_shared_key>${key}</pre_shared_key>`],
  ...["export IPSEC_PSK='rosebud'", `az network vpn-connection create --shared-key ${key} --name east`],
  "gcloud compute vpn-tunnels create east --shared-secret=rosebud --ike-version=2",
  ...[`Add-VpnConnection -Name east -L2tpPsk "${key}" -Force`, "https://router.example/api?psk=rosebud&site=east"],
  ...[`first\\npre-shared-key ${key}\\nlast`, "let presharedKey = 'rosebud';"],
  // On the next line
  ...["psk: |\n  swordfish\nmtu: 1400", "Pre-Shared Key:\n  rosebud", "<psk>\n  rosebud\n</psk>"],
];

/** None sets a key, though each speaks of them. */
const talkingOfKeys: readonly string[] = [
  // Names of things
  ...["psk-rotation-lambda-v2", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/psk-AbCdEf", "vpn-psk-store"],
  ...["pskRotationSchedule", "/vpn/east/psk"],
  // Sentences
  "PSK rotated on 2027-03-01",
  "Rotate the pre-shared key every 90 days, see https://wiki.example/pre-shared-key/Runbook2",
  ...["Keep this file secret: it holds the pre-shared key.", "Pre-shared key exchange"],
  ...["A shared secret must have 32 characters", "We changed the psk in 2026", "psk v2"],
  ...["See ticket OPS-77 for the psk OPS-78", "Tunnel with IKEv2, psk and AES256", "PSK: see the vault"],
  ...["psk: rotated", "Shared key: none", "psk of site east, 3rd edition", "Length of the pre-shared key: 32"],
  "shared secret: on file",
  // Switches and references
  ...['usePsk: "true"', "psk: true", "psk: optional", "psk_enabled = yes", 'rotate_psk: "weekly"'],
  ...['psk: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:vpn/east"', "psk: ${vault.east}"],
  ...["psk: {{ .Values.psk }}", "PSK=$VPN_PSK", "psk: args.psk,", "const psk = config.requireSecret('psk');"],
  ...["psk = await readKey(site)", "presharedKey?: pulumi.Input<string>", "psk: /run/secrets/east/psk"],
  ...["psk: east.txt", "preSharedKey: vault:kv/vpn/east", "preSharedKey: hq-vpn-psk"],
  "sharedKey: op://network/east/psk",
  // Taken out
  ...[" pre-shared-key ***", " pre-shared-key <your key here>", "psk: ********", 'psk: ""'],
  // Configuration around a key
  ...[" authentication local pre-share", "authentication-method pre-shared-keys;", "auth = psk"],
  ...["crypto ikev2 keyring front-door-keys", "client_secret = keycloak-client-9f", 'secret = "not of a tunnel"'],
  ...['{"psk":{"type":"string","minLength":20}}', "wpa_key_mgmt=WPA-PSK"],
  // The next line is none
  ...["psk:\n  minLength: 20", "PSK:\nask the network team", "psk: {\n  rotation: weekly\n}"],
  ...["psk =\nsecrets.east.psk", "auth methods: psk\nrosebud"],
];

describe("texts with pre-shared keys", () => {
  it.each(settingKeys)("finds the key in %j", (text) => {
    expect(keysIn(text)).toHaveLength(1);
  });
  it.each(talkingOfKeys)("finds none in %j", (text) => {
    expect(keysIn(text)).toEqual([]);
  });
  it("ends on long texts of parts of a key's name", () => {
    const parts = ["psk ".repeat(20_000), `${"pre-shared".repeat(9_000)}-key`, "-".repeat(90_000)];
    for (const text of parts) expect(keysIn(text)).toEqual([]);
  });
});
