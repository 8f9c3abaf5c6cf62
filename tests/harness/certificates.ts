import { asn1, md, pki } from "node-forge";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

/** A certificate with its private key, both in PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

interface Options {
  /** Host names and addresses. */
  names?: string[];
  /** By default tomorrow. */
  notAfter?: Date;
  /** By default the certificate signs itself. */
  ca?: Certificate;
  isAuthority?: boolean;
}

const dayMs = 86_400_000;

/** Returns a new certificate, valid since 30 days ago. */
export function certificateFor(subject: string, { names = [], notAfter, ca, isAuthority }: Options = {}): Certificate {
  const { privateKey: key, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const certificate = pki.createCertificate();
  certificate.serialNumber = `01${randomBytes(8).toString("hex")}`;
  certificate.validity = {
    notBefore: new Date(Date.now() - 30 * dayMs),
    notAfter: notAfter ?? new Date(Date.now() + dayMs),
  };
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  const attributes = [{ name: "commonName", value: subject }];
  certificate.setSubject(attributes);
  certificate.setIssuer(ca ? pki.certificateFromPem(ca.cert).subject.attributes : attributes);
  const altNames = names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name }));
  certificate.setExtensions(
    isAuthority
      ? [
          { name: "basicConstraints", cA: true },
          { name: "keyUsage", keyCertSign: true },
        ]
      : [{ name: "subjectAltName", altNames }],
  );
  // Forge's own signature takes a second of processor time.
  const signer = {
    sign: () => {
      const signed = Buffer.from(asn1.toDer(certificate.tbsCertificate).getBytes(), "latin1");
      return sign("sha256", signed, ca?.key ?? key).toString("latin1");
    },
  };
  certificate.sign(signer as unknown as pki.rsa.PrivateKey, md.sha256.create());
  return { key, cert: pki.certificateToPem(certificate) };
}
