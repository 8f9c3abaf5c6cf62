import { useEmulator } from "./command";

const here = useEmulator(
  (emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq" });
    emulator.seedTunnel({ id: "tnl-2", name: "plant", frontdoorId: "fd-2" });
  },
  { tokens: { one: ["fd-1"], two: ["fd-2"] } },
);

it("two runs in one process have their own front door, folder, colors, time and exit code", async () => {
  const watching = here.workspace.open(["watch", "--serve", "0"], { env: { FRONTDOOR_TOKEN: "one" }, isService: true });
  const colored = here.onTerminal("tunnels", { FRONTDOOR_TOKEN: "two", FRONTDOOR_ID: "fd-2" }).end;
  const plain = here.run("tunnels", { FRONTDOOR_TOKEN: "one" });
  const wrong = here.run("tunnels --sort wrong");
  expect((await colored).stdout).toMatch(/tnl-2 .*plant .*\[32mDEPLOYED/);
  expect((await plain).stdout).toMatch(/^tnl-1 +hq +DEPLOYED/m);
  expect((await wrong).code).toBe(2);
  await watching.clock.passUntil(() => watching.said.stderr.includes("metrics: "));
  expect(await watching.stop()).toMatchObject({ code: 0, stdout: "" });
});

it("no run changes the exit code or the folder of the process", async () => {
  const before = [process.exitCode, process.cwd()];
  await here.run("explain nothing-of-that-name");
  expect([process.exitCode, process.cwd()]).toEqual(before);
});
