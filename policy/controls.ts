/** The controls for which a policy can be evidence, by the numbers of each framework. NIST SP 800-77 has topics instead. */
export interface Controls {
  cis: string;
  nist: string;
  soc2: string;
  iso: string;
}

const boundary = { cis: "12.2, 13.4", nist: "network layout, traffic selectors", soc2: "CC6.6", iso: "A.8.20, A.8.22" };
const services = {
  cis: "4.8, 13.4",
  nist: "services behind the tunnel",
  soc2: "CC6.1, CC6.6",
  iso: "A.8.20, A.8.21",
};
const secrets = { cis: "3.11", nist: "pre-shared keys", soc2: "CC6.1", iso: "A.8.12, A.8.24" };
const cryptography = { cis: "3.10", nist: "IKE and ESP algorithms, lifetimes", soc2: "CC6.7", iso: "A.8.24" };
const change = { cis: "4.2, 12.3", nist: "operation of gateways", soc2: "CC6.1, CC8.1", iso: "A.8.9, A.8.32" };

/** The controls by policy. A policy without an entry is evidence for none of them. */
export const controls: Record<string, Controls> = {
  "use-public-peers": boundary,
  "limit-peer-networks": boundary,
  "separate-peer-networks": boundary,
  "keep-targets-private": services,
  "refuse-metadata-targets": services,
  "refuse-loop-targets": services,
  "limit-ingress-ports": services,
  "guard-dangerous-ports": services,
  "refuse-unknown-types": change,
  "protect-production-tunnels": change,
  "guard-life-cycle-options": change,
  "require-locations": { ...change, nist: "placement of gateways" },
  "follow-naming-convention": { ...change, cis: "1.1", iso: "A.8.9" },
  "keep-sample-config-secret": secrets,
  "encrypt-pre-shared-keys": secrets,
  "avoid-stored-keys": secrets,
  "keep-credentials-secret": { ...secrets, nist: "administrative access" },
  "refuse-weak-crypto": cryptography,
  "limit-key-lifetimes": cryptography,
};
