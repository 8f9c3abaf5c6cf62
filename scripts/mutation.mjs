import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stopInOrder } from "./quickstart.mjs";
import { figuresOf } from "./mutation/figures.mjs";
import { setUpDependencies } from "./setup.mjs";
import { inState, root, runMain } from "./setup/environment.mjs";

const usage = `Counts the small changes of the provider's core that the fast tests notice.

  npm run mutation -- [folder or file of provider/ ...] [--sample N]

  --sample N   run one mutant in N, always the same ones
  --new        forget the results of earlier runs
`;
const leastPercent = 85;

await runMain(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: "string", default: "1" },
      new: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { env } = await setUpDependencies();
  const results = inState(`mutation-${values.sample}.json`);
  if (values.new && existsSync(results)) rmSync(results);
  const mutated = positionals.map((part) => (isFile(part) ? `provider/${part}.ts` : `provider/${part}/**/*.ts`));
  const args = ["run", "--incrementalFile", results, ...(mutated.length > 0 ? ["--mutate", mutated.join()] : [])];
  const stryker = join(root, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const code = await stopInOrder().run("node", [stryker, ...args], {
    cwd: root,
    env: { ...env, MUTATION_SAMPLE: values.sample },
  });
  if (!existsSync(results)) return code;
  forgetLeftOut(results);
  const isEnough = show(figuresOf(results, Number(values.sample)));
  return code === 0 && isEnough ? 0 : 1;
});

function isFile(part) {
  return existsSync(join(root, "provider", `${part}.ts`));
}

/** Drops the mutants outside the sample from the results: a run of a larger sample would take them for done. */
function forgetLeftOut(results) {
  const report = JSON.parse(readFileSync(results, "utf8"));
  for (const file of Object.values(report.files))
    file.mutants = file.mutants.filter(({ status }) => status !== "RuntimeError");
  writeFileSync(results, JSON.stringify(report));
}

/** Prints the survivors, then the figures. Returns true if each folder reaches its percentage. */
function show({ folders: figures, survivors }) {
  for (const { file, line, mutatorName, text, replacement, status } of survivors)
    console.log(`${file}:${line} ${status} ${mutatorName}: ${text} => ${replacement}`);
  let isEnough = true;
  for (const [folder, { mutants, killed, hung, survived, untouched }] of figures) {
    const percent = (100 * (killed + hung)) / mutants;
    isEnough &&= percent >= leastPercent;
    console.log(
      `${folder}: ${percent.toFixed(1)} % of ${mutants} mutants are killed (${hung} of them since a test hangs), ` +
        `${survived} survive, ${untouched} are reached by no test`,
    );
  }
  return isEnough;
}
