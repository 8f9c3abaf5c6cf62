import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { version } from "../../package.json";
import { blocksOf, examplesIn } from "../docs/pages";
import { evaluate, start, well } from "../harness/command";
import { answersAs, instantiate, made, madeOfTemplate } from "../harness/copies";
import {
  engineEnvironment,
  hasDotnet,
  hasGo,
  hasMaven,
  hasPython,
  pluginClasses,
  serviceEnvironment,
} from "../harness/environment";
import { removeFolder, root } from "../harness/folder";
import { type Declare, lifeOf } from "../harness/site-life";
import { Stack } from "../harness/stack";

const withGo = hasGo() ? it : it.skip;
const withPython = hasPython() ? it : it.skip;
const withDotnet = hasDotnet() ? it : it.skip;
const withMaven = hasMaven() ? it : it.skip;

describe("quickstarts", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-languages-"));
  /** The plugin, and what further languages need. */
  const onPath = [join(root, "dist", "plugin")];
  let emulator: Emulator;

  beforeAll(async () => {
    emulator = await startEmulator({ provisionMs: 300, teardownMs: 100, token: "very-secret-token" });
    mkdirSync(join(folder, "state"));
  });
  afterAll(async () => {
    await emulator.close();
    removeFolder(folder);
  });
  beforeEach(() => {
    emulator.reset();
  });

  const environment = () => ({
    ...engineEnvironment(folder),
    PATH: [...onPath, process.env["PATH"]].join(delimiter),
    ...serviceEnvironment(emulator),
  });
  /** Runs a command in the copy of an example. */
  const run = async (example: string, command: string, ...args: string[]) =>
    well(await start(command, args, { cwd: join(folder, example), env: environment() }).end);
  const pulumi = (example: string, ...args: string[]) =>
    run(example, "pulumi", ...args, "--stack", "dev", "--non-interactive", "--color", "never");
  const writes = () =>
    emulator.requests
      .splice(0)
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
  const left = () => [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");

  const copy = (example: string) => {
    cpSync(join(root, "examples", example), join(folder, example), { recursive: true });
  };
  /** The folder of the SDKs, made once. */
  const sdks = async () => {
    const into = join(folder, "sdks");
    if (!existsSync(into)) await run(".", process.execPath, join(root, "scripts/sdks.mjs"), into);
    return into;
  };

  /** Makes a project of a template with its stack and the package in it, and uncomments its lines that name the plugin's folder. */
  async function instantiateWithPackage(template: "python" | "yaml"): Promise<void> {
    const project = await instantiate(template, { cwd: folder, env: environment() });
    symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
    // They are comments because `pulumi new` fails where the folder is not there yet.
    const file = join(project, "Pulumi.yaml");
    const named = readFileSync(file, "utf8").replace(/^# (?=plugins:| {2})/gm, "");
    const [plugins] = blocksOf("docs/how-to/use-the-plugin.md").filter(({ language }) => language === "yaml");
    expect(named).toContain(plugins?.code);
    // The YAML host that serves the pinned engine reads values only under the older name, and takes no tags there.
    const isYaml = template === "yaml";
    const withoutTags = named.replace(/^ {2}pulumi:tags:\n(?: {4}.*\n)+/m, "");
    writeFileSync(file, isYaml ? withoutTags.replace("\nconfig:", "\nconfiguration:") : named);
    await run(template, "pulumi", "stack", "init", "dev");
    await pulumi(template, "config", "set-all", ...answersAs("--plaintext"));
  }

  /** Up, refresh and destroy, each of which finds what it should. */
  async function lives(example: string, project: string, expected: string[]): Promise<void> {
    emulator.reset();
    await pulumi(example, "up", "--yes", "--skip-preview");
    expect(writes()).toEqual(expected);
    const told = await pulumi(example, "stack", "output", "--json");
    const [tunnel] = emulator.tunnels();
    const psk = emulator.samplePsk(tunnel?.id ?? "");
    const endpoint = expect.stringMatching(/:8443$/) as string;
    const outputs = expected === madeOfTemplate ? { endpoints: { app: endpoint } } : { endpoint };
    expect(JSON.parse(told.stdout)).toEqual({ ...outputs, sampleConfig: "[secret]" });
    expect(readFileSync(join(folder, "state/.pulumi/stacks", project, "dev.json"), "utf8")).not.toContain(psk);
    await pulumi(example, "refresh", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi(example, "preview", "--expect-no-changes");
    await pulumi(example, "destroy", "--yes", "--skip-preview");
    expect(left()).toEqual([]);
  }

  withGo("the quickstart in YAML, and what the template makes, come up, are refreshed and destroyed", async () => {
    onPath.push((await evaluate("engine", 'it.goTool("language-yaml")')) as string);
    copy("quickstart-yaml");
    await run("quickstart-yaml", "pulumi", "stack", "init", "dev");
    await lives("quickstart-yaml", "frontdoor-quickstart-yaml", made);
    await instantiateWithPackage("yaml");
    await lives("yaml", "from-yaml", madeOfTemplate);
  });

  withGo(
    "the policy pack, alone and with its dependencies installed by Pulumi, checks the quickstart in YAML",
    async () => {
      onPath.push((await evaluate("engine", 'it.goTool("language-yaml")')) as string);
      copy("quickstart-yaml");
      const packed = execFileSync("npm", ["pack", "--loglevel=error", "--pack-destination", folder], {
        cwd: join(root, "policy"),
        encoding: "utf8",
      });
      await run(".", "tar", "-xzf", packed.trim());
      await run("package", "pulumi", "install");
      await run("quickstart-yaml", "pulumi", "stack", "init", "checked");
      const pack = ["--policy-pack", join(folder, "package")];
      const preview = ["preview", "--stack", "checked", "--non-interactive", "--color", "never", ...pack];
      expect((await run("quickstart-yaml", "pulumi", ...preview)).text).toContain(`frontdoor@v${version}`);
      const strict = ["--policy-pack-config", join(folder, "package", "strict.json")];
      await expect(run("quickstart-yaml", "pulumi", ...preview, ...strict)).rejects.toThrow(
        /\[mandatory\].*use-public-peers/,
      );
    },
  );

  withPython(
    "the quickstart in Python, and what the template makes, come up, are refreshed and destroyed",
    async () => {
      onPath.push((await evaluate("engine", 'it.goTool("language-python")')) as string);
      copy("quickstart-python");
      await run(".", "python3", "-m", "venv", join(folder, "venv"));
      onPath.unshift(join(folder, "venv", "bin"));
      await run(".", "pip", "install", "--quiet", join(await sdks(), "python"));
      await run("quickstart-python", "pulumi", "stack", "init", "dev");
      await lives("quickstart-python", "frontdoor-quickstart-python", made);
      await instantiateWithPackage("python");
      await run("python", "python3", "-m", "venv", "venv");
      // The language host that is built here passes over the environment that a project names: it takes the first one on the path.
      onPath.unshift(join(folder, "python", "venv", "bin"));
      await run("python", "pip", "install", "--quiet", join(await sdks(), "python"));
      await lives("python", "from-python", madeOfTemplate);
    },
  );

  withGo("the quickstart in Go, a program of the Automation API, comes up, is refreshed and destroyed", async () => {
    copy("quickstart-go");
    const [, sdk = ""] =
      /^\t(\S+\/sdk\/go) /m.exec(readFileSync(join(folder, "quickstart-go", "go.mod"), "utf8")) ?? [];
    await run("quickstart-go", "go", "mod", "edit", `-replace=${sdk}=${await sdks()}/go`);
    await run("quickstart-go", "go", "mod", "tidy");
    await run("quickstart-go", "go", "build", "-o", "quickstart", ".");
    const up = await run("quickstart-go", "./quickstart", "up");
    expect(up.stdout).toMatch(/^endpoint: .+:8443$/m);
    expect(writes()).toEqual(made);
    await run("quickstart-go", "./quickstart", "refresh");
    await run("quickstart-go", "./quickstart", "destroy");
    expect(left()).toEqual([]);
  });
});

describe("an IpsecSite in another language", () => {
  let ofClass: Record<string, string[]> = {};
  const open = (onPath: string[]) => {
    const stack = Stack.open({}, { imports: pluginClasses });
    return stack.then((opened) => {
      opened.env["PATH"] = [...onPath, opened.env["PATH"]].join(delimiter);
      return opened;
    });
  };
  /** The requests of a life in a language, edit by edit. */
  async function lifeIn(declare: Declare, onPath: string[] = []): Promise<Record<string, string[]>> {
    const stack = await open(onPath);
    try {
      return await lifeOf(stack, declare);
    } finally {
      await stack.close();
    }
  }
  const ofLanguage = (runtime: string, more: object = {}) => JSON.stringify({ name: "engine", runtime, ...more });

  beforeAll(async () => {
    ofClass = await lifeIn((stack, sites) => {
      stack.program({ sites });
    });
  });

  withGo("sends in YAML what the TypeScript class sends, edit by edit", async () => {
    const declare: Declare = ({ folder }, sites) => {
      const resources = Object.entries(sites).map(([name, { opts = {}, ...properties }]) => [
        name,
        { type: "frontdoor:IpsecSite", properties, options: opts },
      ]);
      const program = ofLanguage("yaml", { resources: Object.fromEntries(resources) as object });
      writeFileSync(join(folder, "Pulumi.yaml"), program);
    };
    expect(await lifeIn(declare, [(await evaluate("engine", 'it.goTool("language-yaml")')) as string])).toEqual(
      ofClass,
    );
  });

  withPython("sends in Python what the TypeScript class sends, edit by edit", async () => {
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-site-"));
    try {
      const bin = join(folder, "venv", "bin");
      const sdks = join(folder, "sdks");
      execFileSync(process.execPath, [join(root, "scripts/sdks.mjs"), sdks], { stdio: "pipe" });
      execFileSync("python3", ["-m", "venv", join(folder, "venv")]);
      execFileSync(join(bin, "pip"), ["install", "--quiet", join(sdks, "python")]);
      const declare: Declare = (stack, sites) => {
        cpSync(join(root, "tests/harness/sites.py"), join(stack.folder, "__main__.py"));
        writeFileSync(join(stack.folder, "sites.json"), JSON.stringify(sites));
        writeFileSync(join(stack.folder, "Pulumi.yaml"), ofLanguage("python"));
      };
      const host = (await evaluate("engine", 'it.goTool("language-python")')) as string;
      expect(await lifeIn(declare, [bin, host])).toEqual(ofClass);
    } finally {
      removeFolder(folder);
    }
  });
});

/** A project of Maven's with the dependencies of the SDK's own build file, which needs Gradle. */
const pom = (dependencies: string[][]) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.pulumi</groupId><artifactId>frontdoor</artifactId><version>${version}</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>${dependencies
    .map(
      ([group, artifact, dependency]) =>
        `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${dependency}</version></dependency>`,
    )
    .join("")}</dependencies>
</project>
`;

/** A program's project that refers to the SDK's. */
const csproj = (sdk: string) => `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType><TargetFramework>net6.0</TargetFramework><Nullable>enable</Nullable>
  </PropertyGroup>
  <ItemGroup><ProjectReference Include="${sdk}" /></ItemGroup>
</Project>
`;

describe("SDKs", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-sdks-"));
  const sdks = join(folder, "sdks");
  const inSdk = (path: string) => readFileSync(join(sdks, path), "utf8");
  const run = (command: string, args: string[], cwd = folder, env = {}): string =>
    execFileSync(command, args, {
      cwd,
      env: { ...process.env, ...env },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  let isMade = false;
  const make = (into: string) => run(process.execPath, [join(root, "scripts/sdks.mjs"), into]);
  /** Once, by the first test that is not skipped. */
  function made(): void {
    if (!isMade) make(sdks);
    isMade = true;
  }

  afterAll(() => {
    removeFolder(folder);
  });

  /** Writes the documented examples of a language, each to the file that this names. */
  function writeExamples(language: string, fileOf: (name: string) => string): string[] {
    return Object.entries(examplesIn(language)).map(([name, text]) => {
      const file = fileOf(name);
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
      return file;
    });
  }

  describe("the SDKs", () => {
    withGo("are the same each time they are made", () => {
      made();
      make(join(folder, "again"));
      expect(run("diff", ["-r", sdks, join(folder, "again")])).toBe("");
      expect(readdirSync(sdks).sort()).toEqual(["dotnet", "go", "java", "python"]);
    });
  });

  describe("the Go SDK", () => {
    withGo("builds, and so does every documented example", () => {
      made();
      const copy = join(folder, "go");
      cpSync(join(sdks, "go"), copy, { recursive: true });
      writeExamples("go", (name) => join(copy, "examples", name, "main.go"));
      expect(run("go", ["vet", "./..."], copy, { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly" })).toBe("");
    });
  });

  describe("the Python SDK", () => {
    withPython("is a wheel that pip installs, and knows all that the documented examples use", () => {
      made();
      const bin = join(folder, "venv", "bin");
      run("python3", ["-m", "venv", join(folder, "venv")]);
      run(join(bin, "pip"), ["wheel", "--quiet", "--no-deps", "--wheel-dir", folder, join(sdks, "python")]);
      const wheel = readdirSync(folder).find((name) => name.endsWith(".whl")) ?? "";
      expect(wheel).toBe(`pulumi_frontdoor-${version.replace("-rc.", "rc")}-py3-none-any.whl`);
      run(join(bin, "pip"), ["install", "--quiet", join(folder, wheel)]);
      const programs = writeExamples("python", (name) => join(folder, "programs", `${name}.py`));
      const told = run(join(bin, "python"), [join(root, "tests/package/mocked.py"), ...programs]);
      expect(told.trim().split("\n")).toEqual(programs);
    });

    withGo("puts nothing of the environment's credentials into the state", () => {
      made();
      const source = inSdk("python/pulumi_frontdoor/provider.py");
      // The arguments and the constructor both read them.
      const read = new Set([...source.matchAll(/get_env\w*\('(\w+)'\)/g)].map((match) => match[1]));
      expect([...read].sort()).toEqual([
        "FRONTDOOR_BASE_URL",
        "FRONTDOOR_ID",
        "FRONTDOOR_ONE_TUNNEL_PER_LOCATION",
        "FRONTDOOR_REQUESTS_PER_SECOND",
        "FRONTDOOR_REQUEST_TIMEOUT",
      ]);
    });
  });

  describe("the .NET SDK", () => {
    withDotnet("is a package that NuGet's tools make, and compiles every documented example", () => {
      made();
      run("dotnet", ["pack", "--output", folder], join(sdks, "dotnet"));
      expect(readdirSync(folder)).toContain(`Pulumi.Frontdoor.${version}.nupkg`);
      // Each example has a project of its own, since all are a program's top level.
      for (const file of writeExamples("csharp", (name) => join(folder, "csharp", name, "Program.cs"))) {
        writeFileSync(join(dirname(file), "example.csproj"), csproj(join(sdks, "dotnet", "Pulumi.Frontdoor.csproj")));
        run("dotnet", ["build"], dirname(file));
      }
    });
  });

  describe("the Java SDK", () => {
    withMaven("compiles to a jar, and so does every documented example", () => {
      made();
      const project = join(folder, "java");
      cpSync(join(sdks, "java", "src"), join(project, "src"), { recursive: true });
      // Each example has a package of its own, since all are called App.
      for (const file of writeExamples("java", (name) =>
        join(project, "src/main/java", name.toLowerCase(), "App.java"),
      ))
        writeFileSync(file, `package ${basename(dirname(file))};\n${readFileSync(file, "utf8")}`);
      const dependencies = inSdk("java/build.gradle").matchAll(/^ +implementation\("(.+):(.+):(.+)"\)$/gm);
      writeFileSync(join(project, "pom.xml"), pom([...dependencies].map(([, ...parts]) => parts)));
      run("mvn", ["--quiet", "--batch-mode", "package"], project);
      const jar = run("jar", ["--list", "--file", join(project, "target", `frontdoor-${version}.jar`)]);
      const [, group = ""] = /^group = "(.+)"$/m.exec(inSdk("java/build.gradle")) ?? [];
      expect(jar).toContain(`${group.replaceAll(".", "/")}/frontdoor/IpsecTunnel.class`);
    });
  });
});
