import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { endianness } from "node:os";
import { promisify } from "node:util";
import { status } from "@grpc/grpc-js";
import { ConfigureResponse, InvokeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { peerCheck, userOf } from "../../provider/plugin/peer";
import { serve } from "../../provider/plugin/server";
import { root } from "../harness/folder";

/** A table as the kernel writes it, for a machine with this byte order. */
const recorded = (text: string) =>
  endianness() === "LE"
    ? text
    : text.replace(/\b[0-9A-F]{8,32}(?=:)/g, (hex) => Buffer.from(hex, "hex").swap32().toString("hex").toUpperCase());

const tcp = recorded(`  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:07E8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1211 1 0000000032f7e771 100 0 0 10 0
   1: 0100007F:A000 0100007F:1388 01 00000000:00000000 00:00000000 00000000  1000        0 5501 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:1388 0100007F:A000 01 00000000:00000000 00:00000000 00000000  1001        0 5502 1 0000000000000000 20 4 30 10 -1
   3: 0200007F:A001 0100007F:1388 01 00000000:00000000 00:00000000 00000000  1002        0 5503 1 0000000000000000 20 4 30 10 -1
   4: 0100007F:A002 0100007F:1388 06 00000000:00000000 03:0000025E 00000000     0        0 0 3 0000000000000000
   5: 0100007F:A003 0100007F:1388 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0000000000000000
`);

const tcp6 =
  recorded(`  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0000000000000000FFFF00000100007F:A006 0000000000000000FFFF00000100007F:1388 01 00000000:00000000 00:00000000 00000000  1000        0 5506 1 0000000000000000 20 4 30 10 -1
`);

const own = { address: "127.0.0.1", port: 5000 };

const from = (port: number, address = "127.0.0.1") => ({ address, port });

describe("the user at the other end of a connection", () => {
  it.each([
    ["is read from its row, not from this process's", tcp, from(0xa000), 1000],
    ["is told apart by the address", tcp, from(0xa001, "127.0.0.2"), 1002],
    ["is unknown without a row", tcp, from(0xa001), undefined],
    ["is unknown once the socket waits for its end", tcp, from(0xa002), undefined],
    ["is unknown once the process has closed the socket", tcp, from(0xa003), undefined],
    ["is read from an IPv6 socket's row", tcp6, from(0xa006), 1000],
    ["is unknown in an empty table", "", from(0xa000), undefined],
  ])("%s", (_what, table, peer, user) => {
    expect(userOf(table, peer, own)).toBe(user);
  });

  const socket = (port: number) => ({
    remoteAddress: "127.0.0.1",
    remotePort: port,
    localAddress: own.address,
    localPort: own.port,
  });
  const files = (path: string) => (path === "/proc/net/tcp" ? tcp : tcp6);

  it("decides whether the connection is this user's", () => {
    const [{ isOwn }, { isOwn: isOthers }] = [peerCheck(files, 1000), peerCheck(files, 0)];
    expect([0xa000, 0xa006, 0xa002, 0xbbbb].map((port) => isOwn(socket(port)))).toEqual([true, true, false, false]);
    expect([0xa000, 0xa002, 0xa003].map((port) => isOthers(socket(port)))).toEqual([false, false, false]);
  });

  const listener = { address: "127.0.0.1", port: 0x07e8 };
  const failing = () => {
    throw new Error("EMFILE");
  };

  it("decides nothing on a platform without the kernel's tables", () => {
    expect(peerCheck(failing, 1000).isOwn(socket(0xbbbb))).toBe(true);
  });

  it("is a stranger if the tables can be read at the start only", () => {
    let reads = 0;
    const { isOwn, hasOwners } = peerCheck((path) => (reads++ === 0 ? files(path) : failing()), 1000);
    expect(isOwn(socket(0xa000))).toBe(false);
    expect(hasOwners(listener)).toBe(true);
  });

  it("is told by tables that name the owner of this process's own listener", () => {
    expect(peerCheck(files, 0).hasOwners(listener)).toBe(true);
    expect(peerCheck(files, 1000).hasOwners(listener)).toBe(false);
    expect(peerCheck(() => "  sl  local_address", 1000).hasOwners(listener)).toBe(false);
    expect(peerCheck(failing, 1000).hasOwners(listener)).toBe(false);
  });
});

/** Makes the calls by which another user got the token, each on one connection; prints the status codes. */
const calling = `
  const { credentials } = require("@grpc/grpc-js");
  const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
  const messages = require("@pulumi/pulumi/proto/provider_pb");
  const [, address, uid] = process.argv;
  if (uid) {
    process.setgroups([]);
    process.setgid(Number(uid));
    process.setuid(Number(uid));
  }
  const client = new ResourceProviderClient(address, credentials.createInsecure());
  const called = (name, request) =>
    new Promise((resolve) => client[name](request, (error) => resolve(error ? error.code : 0)));
  const listed = () =>
    new Promise((resolve) => client.list(new messages.ListRequest()).on("error", ({ code }) => resolve(code)).on("end", () => resolve(0)).resume());
  (async () => {
    const invoke = new messages.InvokeRequest().setTok("frontdoor:index:getSampleConfig");
    console.log(JSON.stringify([
      await called("configure", new messages.ConfigureRequest()),
      await called("invoke", invoke),
      await called("delete", new messages.DeleteRequest()),
      await listed(),
    ]));
    client.close();
  })();`;

describe("the plugin's server", () => {
  const isRoot = process.platform === "linux" && process.geteuid?.() === 0;
  const hasOwners = () => true;
  const stranger = { isOwn: () => false, hasOwners };
  const foreign = process.platform === "linux" ? peerCheck(undefined, -1) : stranger;
  const done: string[] = [];
  const methods = {
    configure: () => (done.push("configure"), new ConfigureResponse()),
    invoke: () => (done.push("invoke"), new InvokeResponse()),
    delete: () => (done.push("delete"), new Empty()),
    // eslint-disable-next-line @typescript-eslint/require-await
    list: async function* () {
      done.push("list");
      yield* [];
    },
  };
  let server: Awaited<ReturnType<typeof serve>>;

  const codesOf = async (check: ReturnType<typeof peerCheck>, uid?: string) => {
    done.length = 0;
    server = await serve(methods, check);
    const args = ["-e", calling, `127.0.0.1:${server.port}`, ...(uid ? [uid] : [])];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
    return JSON.parse(stdout) as number[];
  };
  afterEach(() => {
    server.close();
  });

  it("answers the user who runs the plugin", async () => {
    expect(await codesOf(peerCheck())).toEqual(Array(4).fill(status.OK));
    expect(done).toEqual(["configure", "invoke", "delete", "list"]);
  });

  // Only root can become another user. For anybody else the server is told that its user is another one.
  it.each(
    isRoot
      ? [["a process of user 65534", peerCheck(), "65534"] as const]
      : [["a process that counts as another user's", foreign, undefined] as const],
  )("refuses every call of %s", async (_who, check, uid) => {
    expect(await codesOf(check, uid)).toEqual(Array(4).fill(status.PERMISSION_DENIED));
    expect(done).toEqual([]);
  });

  it("answers a connection whose row the first reads have missed", async () => {
    let reads = 0;
    const check = { hasOwners, isOwn: () => ++reads > 3 };
    expect(await codesOf(check)).toEqual(Array(4).fill(status.OK));
    expect(reads).toBe(4);
  });

  it("refuses only after several reads over 200 ms have agreed", async () => {
    const atMs: number[] = [];
    const check = { hasOwners, isOwn: () => (atMs.push(performance.now()), false) };
    expect(await codesOf(check)).toEqual(Array(4).fill(status.PERMISSION_DENIED));
    expect(atMs).toHaveLength(5);
    expect((atMs.at(-1) ?? 0) - (atMs[0] ?? 0)).toBeGreaterThan(190);
  });

  it("answers everybody if the tables do not even name its own owner, as in some sandboxes", async () => {
    expect(await codesOf({ ...stranger, hasOwners: () => false })).toEqual(Array(4).fill(status.OK));
  });

  /** Connects so many times, one after the other; returns the numbers of the connections in the order of their ends. */
  const ended = async (count: number, limits: { openMs: number; atMost: number }, until: number) => {
    server = await serve(methods, stranger, limits);
    const order: number[] = [];
    const sockets: Socket[] = [];
    await new Promise<void>((resolve) => {
      const next = (number: number) => {
        const socket = connect(server.port, "127.0.0.1", () => {
          if (number + 1 < count) next(number + 1);
        });
        sockets.push(socket.resume().on("error", () => undefined));
        socket.on("close", () => {
          if (order.push(number) === until) resolve();
        });
      };
      next(0);
    });
    for (const socket of sockets) socket.destroy();
    return order;
  };

  it("ends a refused connection that its client leaves open", async () => {
    expect(await ended(3, { openMs: 1, atMost: 9 }, 3)).toHaveLength(3);
  });

  it("ends a refused connection that its client leaves open after the start of HTTP/2", async () => {
    server = await serve(methods, stranger, { openMs: 300, atMost: 9 });
    const session = connectHttp2(`http://127.0.0.1:${server.port}`).on("error", () => undefined);
    await once(session, "close");
  });

  it("ends refused connections at once if many are open", async () => {
    expect(await ended(5, { openMs: 600_000, atMost: 3 }, 2)).toEqual([3, 4]);
  });

  it("reads the tables once for all calls of one connection", async () => {
    let checks = 0;
    const check = peerCheck();
    await codesOf({ hasOwners, isOwn: (socket) => (checks++, check.isOwn(socket)) });
    expect(checks).toBe(1);
  });
});
