const block = /^(<!-- from (?<file>[^\s#]+)(?:#(?<region>\S+))? -->\n\n```.*\n)[^]*?^```$/gm;
const mark = /^[^\S\n]*(?:\/\/|#) #(?:end)?region\b.*\n/gm;

/** A page's text in which each block that names a file holds what is there, or the region of it that it names. */
export const withBlocks = (page, read) =>
  page.replace(block, (...match) => {
    const [, opening] = match;
    const { file, region } = match.at(-1);
    return `${opening}${cut(read(file), file, region)}\`\`\``;
  });

/** What lies between the marks of a region, as editors fold them; with none named, all but the marks. */
function cut(text, file, region) {
  if (region === undefined) return text.replace(mark, "");
  const [, , inside] = new RegExp(`(#region ${region})\n([^]*?)^.*#endregion ${region}$`, "m").exec(text) ?? [];
  if (inside === undefined) throw new Error(`${file} has no region ${region}`);
  return inside;
}

const entriesOf = (entries) =>
  entries.flatMap(({ code, meaning, cause, remedies }) => [
    `### ${code}`,
    meaning,
    `**Cause:** ${cause}`,
    remedies.map((remedy) => `- ${remedy}`).join("\n"),
  ]);

const generated = '<!-- generated from cli/codes/ by "npm run docs" -->';

/** Returns the page of all codes but the fleet's. A code is a heading, so that the site's search finds it. */
export const troubleshooting = (catalogue) =>
  [
    generated,
    "# Troubleshooting",
    "A message ends with a code in square brackets, such as `[port-in-use]`. Search this page for it, or run `frontdoor explain port-in-use`. Each code has its cause, and below it the remedies, the most likely first. A code never changes its meaning.",
    "After most failures, first [run `pulumi up` again](how-to/recover.md#by-symptom). `frontdoor doctor` checks settings, service and machine. The codes of [policies](how-to/policies.md#steps) and [fleets](../fleet/docs/troubleshooting.md) have pages of their own.",
    ...catalogue
      .filter(({ doing }) => doing !== forFleets)
      .flatMap(({ doing, entries }) => [`## ${doing}`, ...entriesOf(entries)]),
  ].join("\n\n");

const forFleets = "Running a fleet";

/** Returns the page of the fleet's codes. */
export const fleetTroubleshooting = (catalogue) =>
  [
    generated,
    "# Troubleshooting of a fleet",
    "The codes of `frontdoor-fleet`. [Troubleshooting](../../docs/troubleshooting.md) has all others.",
    ...entriesOf(catalogue.find(({ doing }) => doing === forFleets).entries).map((line) => line.replace(/^###/, "##")),
  ].join("\n\n");
