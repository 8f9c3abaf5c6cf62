/** A reporter of node:test that writes how many tests passed, failed and were skipped; suites do not count. */
export default async function* totals(events) {
  const counts = { passed: 0, failed: 0, skipped: 0, names: [] };
  for await (const { type, data } of events) {
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") continue;
    // A file is a test of its own only where it could not be run.
    if (data.skip !== undefined) {
      counts.skipped += 1;
      counts.names.push(`${data.name} (${data.skip})`);
    } else if (type === "test:pass") counts.passed += 1;
    else counts.failed += 1;
  }
  yield JSON.stringify(counts);
}
