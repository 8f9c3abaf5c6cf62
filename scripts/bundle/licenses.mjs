import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "../setup/places.mjs";
import { SetUpError } from "../setup/progress.mjs";

const isCode = (path) => /\.([cm]?[jt]sx?|json|map)$/i.test(path);
const isLegal = (path) => /licen[cs]e|notice|copying|copyright/i.test(basename(path)) && !isCode(path);
const isLicense = (path) => /licen[cs]e|copying/i.test(basename(path));

/** The folders of the packages that files of a bundle come from. The folder of a package that lies in another one's names both. */
export const packagesOf = (files) => [...new Set(files.flatMap((file) => packageOf(file) ?? []))].sort();

const packageOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

/**
 * The legal texts of a bundle: each package's files, and the copyright notices that only its source files hold. A text that several
 * packages have is there once. @throws SetUpError if a package has no license file
 */
export function licensesOf(files) {
  const first = new Map();
  const once = (folder, { path, text }) => {
    const known = first.get(text);
    if (known === undefined) first.set(text, `${path} of ${folder}`);
    return `${path}:\n\n${known === undefined ? text : `The same text as ${known}, above.`}`;
  };
  return packagesOf(files)
    .map((folder) => {
      const name = folder.replace("node_modules/", "");
      const texts = textsIn(folder).map((each) => once(name, each));
      const notices = noticesIn(files.filter((file) => packageOf(file) === folder));
      return [name, ...texts, ...notices].join("\n\n");
    })
    .join("\n\n");
}

function textsIn(folder) {
  const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(join(root, folder).length + 1))
    .filter((path) => isLegal(path) && !path.includes("node_modules"))
    .sort();
  if (!found.some(isLicense))
    throw new SetUpError(`${folder} is bundled and has no license file, so the package must not be shipped.`);
  return found.map((path) => ({ path, text: readFileSync(join(root, folder, path), "utf8").trim() }));
}

/** Comments with a copyright, which a minified bundle no longer holds. */
const noticesIn = (files) => [
  ...new Set(
    files.flatMap((file) => readFileSync(join(root, file), "utf8").match(/\/\*[^]*?\*\//g) ?? []).filter(isCopyright),
  ),
];

const isCopyright = (comment) => /copyright/i.test(comment);
