// `serve <host> <port>`: a share's target behind the load balancer's port. `ask <from> <host> <port>`: sends bytes, and prints what comes back.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { connect, createServer } from "node:net";
import process from "node:process";

const [, , what, ...args] = process.argv;
const bytes = Buffer.alloc(300_000, "front door ");
const hashOf = (data) => createHash("sha256").update(data).digest("hex");

if (what === "serve") {
  const [host, port] = args;
  const ignored = () => undefined;
  const target = createServer((socket) => socket.on("error", ignored).pipe(socket));
  target.listen(0, "127.0.0.1", () => {
    const balancer = createServer((socket) => {
      const inner = connect(target.address().port, "127.0.0.1");
      for (const each of [socket, inner]) each.on("error", ignored);
      socket.pipe(inner).pipe(socket);
    });
    balancer.listen(Number(port), host);
  });
} else {
  const [localAddress, host, port] = args;
  const socket = connect({ host, port: Number(port), localAddress, timeout: 10_000 });
  const parts = [];
  let length = 0;
  socket.on("timeout", () => socket.destroy(new Error("nothing came within 10 s")));
  socket.on("error", ({ message }) => {
    process.stdout.write(`no answer: ${message}\n`);
    process.exitCode = 1;
  });
  socket.on("data", (part) => {
    parts.push(part);
    length += part.length;
    if (length === bytes.length) socket.end();
  });
  socket.on("close", () => {
    const isSame = hashOf(Buffer.concat(parts)) === hashOf(bytes);
    process.stdout.write(`${length} bytes came back${isSame ? ", the same" : ""}\n`);
  });
  socket.write(bytes);
}
