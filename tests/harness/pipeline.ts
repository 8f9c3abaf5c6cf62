import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "./folder";

/** One step of a job: it runs commands, leaves a file for later jobs, or gets one that an earlier job has left. */
type Step = { run: string; env: Record<string, string> } | { leaves: string } | { gets: string };

/** A job of a CI file, as far as it decides what runs after what. */
export interface Job {
  name: string;
  needs: string[];
  steps: Step[];
  /** True if the job can run although one that it needs has failed, or if one of its commands may fail. */
  isLenient: boolean;
}

interface Workflow {
  env?: Record<string, string>;
  jobs: Record<
    string,
    {
      if?: string;
      needs?: string | string[];
      "continue-on-error"?: boolean;
      steps: {
        if?: string;
        run?: string;
        uses?: string;
        env?: Record<string, string>;
        with?: Record<string, string>;
        "continue-on-error"?: boolean;
      }[];
    }
  >;
}

interface Pipeline {
  variables: Record<string, string>;
  [job: string]: {
    needs?: (string | { job: string; optional?: boolean; artifacts?: boolean })[];
    variables?: Record<string, string>;
    script?: string[];
    artifacts?: { paths: string[]; when?: string };
    allow_failure?: boolean;
    when?: string;
  };
}

const textOf = (file: string) => readFileSync(join(root, file), "utf8");

/** The jobs of a workflow of GitHub, in its order. */
export function githubJobs(file: string): Job[] {
  const { env: all = {}, jobs } = parse(textOf(file)) as Workflow;
  const left = new Map<string, string>();
  return Object.entries(jobs).map(([name, job]) => ({
    name,
    needs: [job.needs ?? []].flat(),
    isLenient:
      [job, ...job.steps].some((each) => each["continue-on-error"] === true) ||
      [job, ...job.steps].some(({ if: condition = "" }) => /always\(|failure\(|cancelled\(/.test(condition)),
    steps: job.steps.flatMap(({ run, uses = "", env = {}, with: given = {} }): Step[] => {
      const { name: artifact = "", path = "" } = given;
      if (run !== undefined) return run.startsWith("npm ci") ? [] : [{ run, env: { ...all, ...env } }];
      if (uses.startsWith("actions/upload-artifact@")) {
        left.set(artifact, path);
        return [{ leaves: path }];
      }
      return uses.startsWith("actions/download-artifact@") ? [{ gets: left.get(artifact) ?? "" }] : [];
    }),
  }));
}

/** The jobs of a pipeline of GitLab, in its order. */
export function gitlabJobs(file: string): Job[] {
  const { variables: all, ...others } = parse(textOf(file)) as Pipeline;
  const jobs = Object.fromEntries(Object.entries(others).filter(([name]) => name !== "default"));
  return Object.entries(jobs).map(([name, { needs = [], variables = {}, script = [], artifacts, ...job }]) => {
    const needed = needs.map((each) => (typeof each === "string" ? { job: each } : each));
    return {
      name,
      needs: needed.map((each) => each.job),
      isLenient:
        job.allow_failure === true ||
        job.when === "always" ||
        job.when === "on_failure" ||
        needed.some(({ optional }) => optional === true),
      steps: [
        ...needed.flatMap((each) =>
          each.artifacts === false ? [] : (jobs[each.job]?.artifacts?.paths ?? []).map((gets) => ({ gets })),
        ),
        { run: script.join("\n"), env: { ...all, ...variables } },
        ...(artifacts?.paths ?? []).map((leaves) => ({ leaves })),
      ],
    };
  });
}

/** Runs one command in the folder, and says whether it succeeded. */
export type Shell = (command: string, env: Record<string, string>) => Promise<boolean>;

/**
 * Runs the jobs one after the other in one folder, as on machines of their own: a job finds only the files that it gets. Returns what became
 * of each job. A job that needs one that has not passed does not run.
 */
export async function runJobs(jobs: readonly Job[], folder: string, shell: Shell): Promise<Record<string, string>> {
  const files = jobs.flatMap(({ steps }) => steps.flatMap((step) => ("leaves" in step ? step.leaves : [])));
  const store = (file: string) => join(folder, "state", `artifact-${file}`);
  const ends: Record<string, string> = {};
  for (const { name, needs, steps } of jobs) {
    for (const file of files) rmSync(join(folder, file), { force: true });
    if (needs.some((each) => ends[each] !== "passed")) {
      ends[name] = "did not run";
      continue;
    }
    ends[name] = "passed";
    for (const step of steps) {
      if ("leaves" in step) cpSync(join(folder, step.leaves), store(step.leaves));
      else if ("gets" in step) cpSync(store(step.gets), join(folder, step.gets));
      else if (!(await shell(step.run, step.env))) {
        ends[name] = "failed";
        break;
      }
    }
  }
  for (const file of files) rmSync(store(file), { force: true });
  return ends;
}
