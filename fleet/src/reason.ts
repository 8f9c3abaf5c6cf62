const longest = 500;

/**
 * The engine's colours, and the terminal sequences CSI and OSC. No start of a sequence is part of a body, so that matching takes linear time.
 */
/* eslint-disable no-control-regex -- these sequences begin with control characters */
const sequences = [
  /<\{%[^%]{0,40}%\}>/g,
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g,
  /(?:\u001b\]|\u009d)[^\u0007\u001b\u009b-\u009d]*(?:\u0007|\u001b\\|\u009c)/g,
];
/* eslint-enable no-control-regex */

/**
 * One line for people. Secrets go first, while the text is whole. Then the text loses its control sequences and everything from the
 * first call of a stack on. The second `clean` finds a secret that control sequences or line breaks had split.
 */
export function reasonOf(text: string, clean = (text: string) => text): string {
  const printable = sequences.reduce((rest, sequence) => rest.replace(sequence, ""), clean(text));
  const lines = printable.split("\n");
  const calls = lines.findIndex((line) => /^\s+at /.test(line));
  const line = lines
    .slice(0, calls > 0 ? calls : undefined)
    .join(" ")
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim();
  return clean(line).slice(0, longest);
}
