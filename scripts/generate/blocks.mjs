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
