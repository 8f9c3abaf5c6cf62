import { z } from "zod";
import { targetOf } from "../hosts";
import { number } from "../known";
import { resourceRule } from "../rule";

/** Ports of administration, of databases and of what keeps secrets or state for others, by what is behind them. */
const dangerous: Record<string, readonly number[]> = {
  FTP: [21],
  SSH: [22],
  Telnet: [23],
  SMTP: [25],
  Kerberos: [88],
  "RPC portmapper": [111],
  "Windows RPC": [135],
  NetBIOS: [137, 138, 139],
  LDAP: [389, 636, 3268, 3269],
  SMB: [445],
  "rexec, rlogin and rsh": [512, 513, 514],
  IPMI: [623],
  rsync: [873],
  "SQL Server": [1433, 1434],
  Oracle: [1521],
  NFS: [2049],
  Docker: [2375, 2376],
  etcd: [2379, 2380],
  MySQL: [3306],
  RDP: [3389],
  PostgreSQL: [5432],
  Kibana: [5601],
  VNC: [5900],
  WinRM: [5985, 5986],
  Redis: [6379],
  "Kubernetes API": [6443],
  Vault: [8200],
  Consul: [8500],
  Cassandra: [9042],
  Kafka: [9092],
  Elasticsearch: [9200, 9300],
  kubelet: [10250, 10255],
  memcached: [11211],
  RabbitMQ: [15672],
  MongoDB: [27017, 27018, 27019],
};
const guardedPorts = new Set(Object.values(dangerous).flat());
const listed = Object.entries(dangerous).map(([service, ports]) => `${service} ${ports.join(", ")}`);

export const guardDangerousPorts = resourceRule(
  {
    name: "guard-dangerous-ports",
    topic: "Services",
    description: "Administration and database ports must be published by exception only.",
    reason:
      "Behind these ports stand logins and data without further defence. Published on a tunnel, everyone at the remote site, and whoever breaks in there, can try them.",
    fix: "publish a bastion or an application in front of it instead, or add an exception with a reason and an end date.",
    unknowns: `An unknown ingressPort or target is passed over until it is known. The built-in ports are: ${listed.join("; ")}. A service on another port than its usual one is not seen.`,
    severity: "high",
    settings: {
      extraPorts: z
        .record(z.string().regex(/^[1-9]\d{0,4}$/), z.string())
        .default({})
        .describe("Ports that need an exception beside the built-in ones, each with the service behind it."),
    },
    baseline: "advisory",
    strict: { enforcementLevel: "mandatory" },
  },
  "share",
  ({ props }, { extraPorts }, report) => {
    const ways = {
      ingressPort: number(props, "ingressPort"),
      "the port of target": targetOf(props)?.port,
    };
    const guarded = Object.entries(ways).flatMap(([way, port]) =>
      port !== undefined && (guardedPorts.has(port) || String(port) in extraPorts) ? [way] : [],
    );
    if (guarded.length > 0) report(`Needs an exception, as it is one of the guarded ports: ${guarded.join(" and ")}.`);
  },
);
