import { Contender, type Name } from "./contender";

const size = { shares: 600, parallel: 8, checkpoints: true, hasDefaultCeiling: true } as const;
const behaviour = { provisionSeconds: 2, latencyMs: 0 };

/** At the ceiling that is the default: the time of writing that the run says beforehand, and what it took from the first to the last write. */
export async function measureCeiling() {
  const measured: Partial<Record<Name, object>> = {};
  for (const name of ["set", "pluginSet"] as const) {
    const { wallMs, requests, text } = await Contender.costOfUp(name, size, behaviour);
    const posts = requests.filter(({ method }) => method === "POST").map(({ at }) => at);
    const saidSeconds = Number(/ shares to write, .*: about (\d+) s/.exec(text)?.[1]);
    const seenSeconds = (Math.max(...posts) - Math.min(...posts)) / 1000;
    const looks = requests.length - posts.length;
    measured[name] = { saidSeconds, seenSeconds, upSeconds: wallMs / 1000, posts: posts.length, looks };
  }
  return { ...size, ...behaviour, ...measured };
}
