import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** The files of a key and of the certificate that it has signed itself. */
export interface Pair {
  key: string;
  certificate: string;
}

/** Makes a pair for a day. A host is an IP address, of which the certificate is. */
export function pairIn(folder: string, name: string, host?: string): Pair {
  const pair = { key: join(folder, `${name}.key`), certificate: join(folder, `${name}.pem`) };
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
  const named = ["-subj", `/CN=${name}`, "-addext", "basicConstraints=critical,CA:FALSE"];
  const of = host === undefined ? [] : ["-addext", `subjectAltName=IP:${host}`];
  execFileSync("openssl", [...made, ...named, ...of, "-keyout", pair.key, "-out", pair.certificate], { stdio: "pipe" });
  return pair;
}
