const openings = /^["'(*_]*(What|Whether|Of|Where|Whichever|Nor)\b/;

/** The sentences of a paragraph. Code and links count as one word. */
const sentencesOf = (text) =>
  text
    .replace(/`[^`]*`/g, "x")
    .replace(/\]\([^)]*\)/g, "]")
    .split(/(?<=[.!?:]["')*\]]*)\s+|\n\s*\n/);

/** Reports sentences that begin with a word that has no noun. A question may begin with such a word. */
export default function (context) {
  const { RuleError, Syntax, getSource, report } = context;
  const check = (node) => {
    for (const sentence of sentencesOf(getSource(node))) {
      const [, word] = openings.exec(sentence) ?? [];
      if (word && !sentence.endsWith("?"))
        report(node, new RuleError(`"${sentence.slice(0, 60)}" begins with "${word}". Name the noun first`));
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check };
}
