// What `npm run fleet:demo` shows: 30 stacks on 10 front doors of an emulator, brought up by two workers.
import { Lab } from "./lab.ts";

const frontDoors = Array.from({ length: 10 }, (_, at) => `fd-${at + 1}`);
const stacksEach = 3;

const lab = await Lab.open(frontDoors, { provisionMs: 3000 });
let stopping = false;
try {
  console.log(
    `Temporal at ${lab.temporal.address}, an emulator with ${frontDoors.length} front doors at ${lab.baseUrl}`,
  );
  await Promise.all([lab.startWorker(), lab.startWorker()]);
  console.log(`Two workers, two stacks at a time each. All of it is in ${lab.folder} until the end.\n`);
  const sites = frontDoors.flatMap((frontDoor, at) =>
    Array.from({ length: stacksEach }, (_, each) => ({ frontDoor, number: at * stacksEach + each + 1 })),
  );
  lab.fleet({
    name: "demo",
    waves: [{ name: "canary" }, { name: "rest", stopAfter: 5 }],
    defaults: {
      program: "programs/site",
      config: { "frontdoor:baseUrl": lab.baseUrl, shares: "2" },
      secrets: { "frontdoor:token": "env:SITE_TOKEN" },
    },
    stacks: Object.fromEntries(
      sites.map(({ frontDoor, number }) => [
        `site-${number}`,
        { frontDoor, config: { number: String(number) }, wave: number <= stacksEach ? "canary" : "rest" },
      ]),
    ),
  });
  const startedMs = Date.now();
  const running = lab.start("up");
  // The first Ctrl-C is the command's, which cancels the run and waits for its end.
  const onStop = () => {
    if (!stopping) running.interrupt();
    stopping = true;
  };
  process.on("SIGINT", onStop).on("SIGTERM", onStop);
  running.show();
  const { code, out } = await running.ended;
  console.log(`\n${out}in ${Math.round((Date.now() - startedMs) / 1000)} s`);
  process.exitCode = code;
} finally {
  await lab.close();
}
