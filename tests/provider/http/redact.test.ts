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
    ["URL inside JSON", "pass\\u00252Fw%C3%B6rd%20%221%22%20of-ours%2B"],
    ["URL twice", encodeURIComponent(encodeURIComponent(secret))],
    ["URL with a byte for each letter", [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join("")],
    ["base64 inside JSON", base64(secret).replaceAll("/", "\\/")],
    ["base64 inside a URL", encodeURIComponent(base64(secret).replace("=", ""))],
  ])("takes out %s", (_spelling, text) => {
    expect(redactor.clean(`a ${text} b`)).toBe("a [secret] b");
  });

  it.each([
    ["JSON", JSON.stringify(secret).slice(1, -1)],
    ["JSON in ASCII, slashes escaped", 'pass\\/w\\u00f6rd \\"1\\" of-ours+'],
    ["JSON in ASCII, as Go and Gson write it", "pass\\u002fw\\u00F6rd \\u00221\\u0022 of-ours\\u002b"],
    ["JSON inside JSON", JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)],
    ["JSON inside JSON, in ASCII", "pass\\\\u002fw\\\\u00f6rd \\\\u00221\\\\u0022 of-ours\\\\u002b"],
  ])("redacts a whole text that hides a secret of several words: %s", (_spelling, text) => {
    expect(redactor.clean(`a ${text} b`)).toBe("[secret]");
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

  it("takes out what several secrets have in common once", () => {
    const overlapping = new Redactor();
    overlapping.addAll(["one-and-two", "two-and-three"]);
    expect(overlapping.clean("a one-and-two-and-three b")).toBe("a [secret] b");
    expect(overlapping.clean("one-and-twotwo-and-three")).toBe("[secret]");
  });

  it("keeps the escapes of everything else", () => {
    const text = "50 % of \\u0041 %41 \\n %c3 %zz \\";
    expect(redactor.clean(text)).toBe(text);
    expect(redactor.clean(`${text}abcd${text}`)).toBe(`${text}[secret]${text}`);
  });

  it("takes secrets out of every value and key of a parsed answer", () => {
    redactor.addAll("1234567890123456");
    const parsed = JSON.parse(
      `{"name":${JSON.stringify(secret)},"__proto__":1,"list":[{"x ${encodeURIComponent(secret)}":[1234567890123456,7,null,true]}]}`,
    ) as unknown;
    expect(JSON.stringify(redactor.cleanParsed(parsed))).toBe(
      '{"name":"[secret]","__proto__":1,"list":[{"x [secret]":["[secret]",7,null,true]}]}',
    );
  });
});
