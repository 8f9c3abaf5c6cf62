/* global AbortController */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { root } from "./places.mjs";
import { publish, workDir } from "./publish.mjs";
import { run, SetUpError, step } from "./progress.mjs";

const releases = "https://github.com/pulumi/pulumi/releases/download";
/** As published in Pulumi's Homebrew formula for these files. To move to another release, take its checksums from there. */
const checksums = readFileSync(join(root, "scripts", "engine.sha256"), "utf8");

/**
 * Puts the official release into a directory if its SHA-256 is the one in scripts/engine.sha256. A host that does not answer
 * within `answerMs` ends the download, so a closed network costs seconds. @throws SetUpError
 */
export async function downloadEngine({ version, into, from = releases, pinned = checksums, answerMs = 4000 }) {
  const archive = `pulumi-v${version}-${releasePlatform()}.tar.gz`;
  const wanted = checksumOf(archive, pinned);
  const answer = await get(`${from}/v${version}/${archive}`, answerMs);

  const work = workDir(into);
  try {
    await step(`Downloading the Pulumi engine ${version}`, async () => {
      const file = join(work, archive);
      await save(answer, file);
      const found = await sha256(file);
      if (found !== wanted) throw new SetUpError(`${archive} has SHA-256 ${found}, pinned is ${wanted}: not used`);
      await run("tar", ["-xzf", file, "-C", work]);
      if (!existsSync(join(work, "pulumi", "pulumi-language-nodejs")))
        throw new SetUpError(`${archive} lacks its language host`);
      publish(join(work, "pulumi"), into);
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function releasePlatform({ platform, arch } = process) {
  if (!["linux", "darwin"].includes(platform) || !["x64", "arm64"].includes(arch)) {
    throw new SetUpError(`there is no release to unpack for ${platform} on ${arch}`);
  }
  return `${platform}-${arch}`;
}

/** The checksum of one file in text of lines such as "<64 hex digits>  <name>". */
function checksumOf(archive, sums) {
  const line = sums.split("\n").find((each) => each.trim().split(/\s+\*?/)[1] === archive);
  const sum = line?.trim().split(/\s+/)[0] ?? "";
  if (!/^[0-9a-f]{64}$/.test(sum)) throw new SetUpError(`scripts/engine.sha256 does not name ${archive}`);
  return sum;
}

/** A stalled body is ended by fetch itself, the wait for the head of an answer here. */
async function get(url, answerMs) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  try {
    const answer = await fetch(url, { signal: late.signal });
    if (!answer.ok) throw new SetUpError(`${url} answered ${answer.status}`);
    clearTimeout(timer);
    return answer;
  } catch (error) {
    if (error instanceof SetUpError) throw error;
    const why = late.signal.aborted ? `no answer in ${answerMs / 1000} s` : (error.cause?.code ?? error.message);
    throw new SetUpError(`${url} cannot be reached (${why})`);
  } finally {
    clearTimeout(timer);
  }
}

async function save(answer, file) {
  try {
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(file));
  } catch (error) {
    throw new SetUpError(`the download of ${basename(file)} broke off (${error.cause?.code ?? error.message})`);
  }
}

async function sha256(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
