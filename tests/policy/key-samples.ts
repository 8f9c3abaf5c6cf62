import { secret } from "./checking";
import { tunnel } from "./tables";

/** A pre-shared key, and what holds it. */
export const key = "Zx9/Tq+4mLp0Rv7w";
export const sample = `! IPsec sample configuration
! keep it: it holds the pre-shared key.
crypto ikev2 keyring front-door-keys
 peer front-door
  address 198.51.100.9
  pre-shared-key ${key}
 authentication local pre-share
crypto ipsec profile front-door-profile
 set ikev2-profile front-door
tunnel protection ipsec profile front-door
`;
export const deployed = tunnel({ sampleConfig: secret(sample) });
export const stack = (props: object) => ({ type: "pulumi:pulumi:Stack", name: "project-dev", props: { ...props } });
export const bucket = (props: object) => ({
  type: "aws:s3/bucketObject:BucketObject",
  name: "note",
  props: { ...props },
});
export const base64 = (text: string) => Buffer.from(text).toString("base64");
