import { z } from "zod";
import { hostPortOf } from "../../provider/addresses";
import { number, text } from "../known";
import { resourceRule } from "../rule";

const dangerous = {
  "21": "FTP",
  "22": "SSH",
  "23": "Telnet",
  "135": "Windows RPC",
  "139": "NetBIOS",
  "445": "SMB",
  "1433": "SQL Server",
  "1521": "Oracle",
  "2375": "Docker",
  "2376": "Docker",
  "2379": "etcd",
  "3306": "MySQL",
  "3389": "RDP",
  "5432": "PostgreSQL",
  "5900": "VNC",
  "5985": "WinRM",
  "5986": "WinRM",
  "6379": "Redis",
  "6443": "Kubernetes API",
  "9200": "Elasticsearch",
  "10250": "kubelet",
  "11211": "memcached",
  "27017": "MongoDB",
};

export const guardDangerousPorts = resourceRule(
  {
    name: "guard-dangerous-ports",
    topic: "Services",
    description: "Administration and database ports must be published by exception only.",
    reason:
      "Behind these ports stand logins and data without further defence. Published on a tunnel, everyone at the remote site, and whoever breaks in there, can try them.",
    fix: "publish a bastion or an application in front of it instead, or add an exception with a reason and an end date.",
    unknowns: "An unknown ingressPort or target is passed over until it is known.",
    severity: "high",
    settings: {
      ports: z
        .record(z.string().regex(/^[1-9]\d{0,4}$/), z.string())
        .default(dangerous)
        .describe("Ports that need an exception, each with the service behind it."),
    },
    baseline: "advisory",
    strict: { enforcementLevel: "mandatory" },
  },
  "share",
  ({ props }, { ports }, report) => {
    const ways = {
      ingressPort: number(props, "ingressPort"),
      "the port of target": hostPortOf(text(props, "target") ?? "")?.port,
    };
    const guarded = Object.entries(ways).flatMap(([way, port]) =>
      port !== undefined && String(port) in ports ? [way] : [],
    );
    if (guarded.length > 0) report(`Needs an exception, as it is one of the guarded ports: ${guarded.join(" and ")}.`);
  },
);
