import { getEventListeners } from "node:events";
import { systemClock } from "../../../provider/time";

const hourMs = 3_600_000;

test("a sleep that ends with its time leaves nothing on its signal", async () => {
  const { signal } = new AbortController();
  const startedMs = performance.now();
  await systemClock.sleep(20, signal);
  expect(performance.now() - startedMs).toBeGreaterThan(18);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a sleep is woken by its signal, and has no timer then", async () => {
  const waker = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
  const before = timers();
  const slept = systemClock.sleep(hourMs, waker.signal);
  expect(timers()).toBe(before + 1);
  waker.abort("woken");
  await slept;
  expect(timers()).toBe(before);
  expect(getEventListeners(waker.signal, "abort")).toEqual([]);
  await systemClock.sleep(hourMs, waker.signal);
});

test("a sleep needs no signal", async () => {
  await expect(systemClock.sleep(1)).resolves.toBeUndefined();
});
