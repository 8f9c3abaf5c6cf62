import { retryAfterMs } from "../../../provider/http/pace";

describe("Retry-After", () => {
  const wallMs = Date.UTC(2026, 0, 1, 12);
  const after = (seconds: number) => new Date(wallMs + seconds * 1000).toUTCString();

  it.each([
    ["seconds", { "retry-after": "3" }, 3000],
    ["a date", { "retry-after": after(3) }, 3000],
    ["a date of a server whose clock is an hour ahead", { "retry-after": after(3603), date: after(3600) }, 3000],
    ["a date of a server whose clock is an hour behind", { "retry-after": after(-3597), date: after(-3600) }, 3000],
    ["a date beside one that can't be read", { "retry-after": after(3), date: "today" }, 3000],
    ["seconds, whatever the server's clock", { "retry-after": "3", date: after(3600) }, 3000],
    ["a date in the past", { "retry-after": after(-3) }, undefined],
    ["more than a day", { "retry-after": "86401" }, undefined],
    ["text", { "retry-after": "soon" }, undefined],
    ["nothing", {}, undefined],
  ])("reads %s", (_what, headers, ms) => {
    expect(retryAfterMs(headers, wallMs)).toBe(ms);
  });
});
