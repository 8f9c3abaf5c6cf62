import { csharp } from "./csharp.mjs";
import { go } from "./go.mjs";
import { java } from "./java.mjs";
import { python } from "./python.mjs";
import { typescript } from "./typescript.mjs";
import { yaml } from "./yaml.mjs";

/** A printer for every language that Pulumi documents, by the names that its documentation knows. */
const languages = { typescript, python, csharp, go, java, yaml };

/** An example in one language, as text. */
export const printed = (language, program) => `${languages[language](program).join("\n")}\n`;

/** Examples by their titles, as Pulumi's documentation and its SDK generators read them in a description. */
export const documented = (examples) =>
  [
    "{{% examples %}}",
    "## Example Usage",
    ...Object.entries(examples).flatMap(([title, program]) => [
      "{{% example %}}",
      `### ${title}`,
      "",
      "<!--Start PulumiCodeChooser -->",
      ...Object.keys(languages).map((language) => `\`\`\`${language}\n${printed(language, program)}\`\`\``),
      "<!--End PulumiCodeChooser -->",
      "{{% /example %}}",
    ]),
    "{{% /examples %}}",
  ].join("\n");
