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

const remediesOf = ([first, ...others]) =>
  others.length === 0
    ? `**Remedy:** ${first}`
    : `**Remedies:**\n\n${[first, ...others].map((remedy) => `- ${remedy}`).join("\n")}`;

/** Returns the page of all codes (cli/codes/). A code is a heading, so that the site's search finds it. */
export const troubleshooting = (catalogue) =>
  [
    '<!-- generated from cli/codes/ by "npm run docs" -->',
    "# Troubleshooting",
    "A message ends with a code in square brackets, such as `[port-in-use]`. Search this page for the code, or run `frontdoor explain port-in-use`. A code never changes its meaning.",
    "After most failures, first [run `pulumi up` again](how-to/recover.md#by-symptom). `frontdoor doctor` checks settings, service and machine. The codes of policies are on [their pages](how-to/policies.md#steps).",
    ...catalogue.flatMap(({ doing, entries }) => [
      `## ${doing}`,
      ...entries.flatMap(({ code, meaning, cause, remedies }) => [
        `### ${code}`,
        meaning,
        `**Cause:** ${cause}`,
        remediesOf(remedies),
      ]),
    ]),
  ].join("\n\n");
