import { execFileSync } from "node:child_process";

const ip = (...args: string[]) => execFileSync("ip", args, { stdio: "pipe", encoding: "utf8" });

/** Why network namespaces can't be made here, or false. */
export function noNamespaces(): string | false {
  const name = `fleet-${process.pid}-try`;
  try {
    ip("netns", "add", name);
    ip("netns", "del", name);
    return false;
  } catch {
    return "network namespaces can't be made here";
  }
}

/** Network namespaces that reach this machine by one address, and neither its loopback nor each other. */
export class Namespaces {
  readonly names: string[] = [];
  /** From the range that is kept for tests of networks (RFC 2544). */
  readonly address = "198.18.51.1";

  add(): string {
    const at = this.names.length + 1;
    const name = `fleet-${process.pid}-${at}`;
    const [outside, inside] = [`fl${process.pid}o${at}`, `fl${process.pid}i${at}`];
    ip("netns", "add", name);
    this.names.push(name);
    ip("link", "add", outside, "type", "veth", "peer", "name", inside, "netns", name);
    ip("addr", "add", `198.18.5${at}.1/30`, "dev", outside);
    ip("link", "set", outside, "up");
    ip("-n", name, "link", "set", "lo", "up");
    ip("-n", name, "addr", "add", `198.18.5${at}.2/30`, "dev", inside);
    ip("-n", name, "link", "set", inside, "up");
    ip("-n", name, "route", "add", "default", "via", `198.18.5${at}.1`);
    return name;
  }

  /** With a namespace its end of the cable goes, and with that the other one. */
  close(): void {
    for (const name of this.names) ip("netns", "del", name);
  }
}
