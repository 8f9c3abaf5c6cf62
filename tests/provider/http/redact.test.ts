import { Redactor } from "../../../provider/http/redact";

const secret = 'pass/wörd "1" of-ours+';
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("redactor", () => {
  const redactor = new Redactor();
  redactor.add(secret);
  redactor.add("abcd");

  it.each([
    ["raw", secret],
    ["base64", base64(secret)],
    ["base64url", Buffer.from(secret).toString("base64url")],
    ["URL", encodeURIComponent(secret)],
    ["URL, lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["form", new URLSearchParams([["", secret]]).toString().slice(1)],
    ["JSON", JSON.stringify(secret).slice(1, -1)],
    ["JSON in ASCII, slashes escaped", 'pass\\/w\\u00f6rd \\"1\\" of-ours+'],
  ])("takes out %s", (_spelling, text) => {
    expect(redactor.clean(`a ${text} b`)).toBe("a [secret] b");
  });

  it.each(["", "x", "id:", "abc:"])("takes it out of the base64 of a longer text (%s…)", (before) => {
    const inner = base64(secret).slice(4, 20);
    expect(redactor.clean(base64(`${before}${secret}:more`))).toContain("[secret]");
    expect(redactor.clean(base64(`${before}${secret}:more`))).not.toContain(inner);
  });

  it("takes out the host of a secret address by itself, too", () => {
    const addresses = new Redactor();
    addresses.addAll({ web: { target: "vault.hidden.internal:8200", ingressPort: 443 } });
    expect(addresses.clean("vault.hidden.internal refused 443")).toBe("[secret] refused 443");
  });

  it("leaves a short secret in an answer's values: it can be there by accident", () => {
    expect(redactor.cleanAnswer('{"name":"abcde"}')).toBe('{"name":"abcde"}');
    expect(redactor.clean("abcde")).toBe("[secret]e");
  });
});
