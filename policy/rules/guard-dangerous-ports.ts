import { z } from "zod";
import { targetOf } from "../hosts";
import { number } from "../known";
import { resourceRule } from "../rule";

/** Ports of administration, of databases, and of stores of secrets or state, by service. */
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
    description: "Administration and database ports must be published only by exception.",
    reason:
      "Logins and data stand behind these ports without further defence. If you publish one on a tunnel, everyone at the remote site can try it, and so can an intruder there.",
    fix: "publish a bastion or an application in front of the port, or add an exception with a reason and an end date.",
    unknowns: `The policy skips an unknown ingressPort or target until it is known. It does not see a service on another port than its usual one. The built-in ports are:\n\n${listed.map((each) => `- ${each}`).join("\n")}`,
    severity: "high",
    settings: {
      extraPorts: z
        .record(z.string().regex(/^[1-9]\d{0,4}$/), z.string())
        .default({})
        .describe("More ports that need an exception, each with its service."),
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
    if (guarded.length > 0) report(`These are guarded ports, which need an exception: ${guarded.join(" and ")}.`);
  },
);
