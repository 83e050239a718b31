/** Helpers that every HTTP server of the local stage uses. */
import { once } from "node:events";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on the loopback interface. @returns `http://127.0.0.1:<port>` @throws Error when the port is taken */
export async function listen(
  server: Server,
  { port = 0, backlog }: { readonly port?: number | undefined; readonly backlog?: number } = {},
): Promise<string> {
  server.listen({ port, host: "127.0.0.1", backlog });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Stops at once: open connections are cut. A server that is closed already stays so. */
export const closeServer = (server: Pick<Server, "close" | "closeAllConnections">): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/**
 * Reads the body to its end, also when it is too large: cutting the connection would keep the answer from arriving.
 * @returns undefined when the body has more than `maximum` bytes
 */
export async function readBody(request: IncomingMessage, maximum: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maximum) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > maximum ? undefined : Buffer.concat(chunks, size);
}

/** Whether the caller left before the whole request had arrived: no answer can reach the caller then. */
export const callerHasLeft = (request: IncomingMessage): boolean => request.destroyed && !request.complete;

/** Reads a JSON object; undefined when the text is not a JSON object. */
export function readJsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
