import { parseArgs } from "node:util";
import { pair } from "./pairs";
import { relations } from "./relations";

/**
 * Plays pairs of histories. `--pairs` is their number over all relations (default 5000), `--seed` the first seed of each relation (default 1).
 * `--only TEXT` plays the relations whose name contains the text. `--first` ends at the first difference.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      pairs: { type: "string", default: "5000" },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: "" },
      first: { type: "boolean", default: false },
    },
  });
  const begunMs = performance.now();
  const names = Object.keys(relations).filter((name) => name.includes(values.only));
  const each = Math.ceil(Number(values.pairs) / names.length);
  let differences = 0;
  for (const name of names) {
    let found = 0;
    for (let seed = Number(values.seed); seed < Number(values.seed) + each; seed++) {
      const difference = await pair(name, seed);
      if (!difference) continue;
      found += 1;
      console.log(`DIFFERENCE ${name}, seed ${seed}: ${difference.edits.join(" > ")}`);
      console.log(difference.lines.map((line) => `    ${line}`).join("\n"));
      if (values.first) return 1;
    }
    console.log(`${String(each).padStart(6)} pairs, ${found} differences  ${name}`);
    differences += found;
  }
  const seconds = Math.round((performance.now() - begunMs) / 1000);
  console.log(`${each * names.length} pairs, ${names.length} relations, ${differences} differences, ${seconds} s`);
  return differences > 0 ? 1 : 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
