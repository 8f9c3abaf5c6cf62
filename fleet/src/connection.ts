import { isIPv4 } from "node:net";
import { Client, Connection } from "@temporalio/client";
import { loadClientConnectConfig } from "@temporalio/envconfig";
import { NativeConnection } from "@temporalio/worker";
import { dataConverterOf } from "./codec.ts";

/** Nothing answers at the address. */
export class UnreachableError extends Error {}

/** Returns Temporal's own settings: TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY, TEMPORAL_TLS and others, or its configuration file. */
const settings = () => {
  const { connectionOptions, namespace = "default" } = loadClientConnectConfig();
  refusePlainText(connectionOptions);
  return { connection: connectionOptions, namespace, dataConverter: dataConverterOf(process.env) };
};

/** @throws Error if a connection that leaves this machine has no TLS */
function refusePlainText({ address = "127.0.0.1:7233", tls }: { address?: string; tls?: unknown }): void {
  const host = address.replace(/:\d*$/, "");
  const isLocal = host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));
  if (!isLocal && !tls)
    throw new Error(
      `Temporal at ${address} is on another machine, and TLS is off. Nothing was sent. Set TEMPORAL_TLS=true. [temporal-plain-text]`,
    );
}

async function reached<T>(connecting: Promise<T>, address: string | undefined): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnreachableError(
      `Temporal at ${address ?? "127.0.0.1:7233"} can't be reached (${reason}). Check TEMPORAL_ADDRESS. [temporal-unreachable]`,
    );
  }
}

/** @throws UnreachableError */
export async function openClient(): Promise<Client> {
  const { connection, namespace, dataConverter } = settings();
  const opened = await reached(Connection.connect({ connectTimeout: "10s", ...connection }), connection.address);
  return new Client({ connection: opened, namespace, dataConverter });
}

/** Opens the connection of a worker. @throws UnreachableError */
export async function openWorkerConnection(): Promise<{
  connection: NativeConnection;
  namespace: string;
  dataConverter: ReturnType<typeof dataConverterOf>;
}> {
  const { connection, ...rest } = settings();
  return { connection: await reached(NativeConnection.connect(connection), connection.address), ...rest };
}
