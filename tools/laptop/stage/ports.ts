/** The ports of the local stage. */
import { once } from "node:events";
import { createServer } from "node:net";

/** The services in the order of their ports, the API first. */
export const services = [
  "api",
  "identity",
  "dynamodb",
  "images",
  "mail",
  "bus",
  "chat",
  "secrets",
  "payments",
  "queues",
  "gateway",
] as const;

export type Ports = Readonly<Record<(typeof services)[number], number>>;

/** Another process listens on the port. */
export class PortInUse extends Error {}

/** The text is not a port number, or a port that cannot be called. */
export class WrongPort extends Error {}

/** The number in the variable PORT. @throws WrongPort with a message for the person who started the stage */
export function portIn(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_000) return port;
  throw new WrongPort(`PORT is "${text}", not a port number between 1 and 65000.`);
}

/** The API's port and the ports after it; all 0 (any free port) when the first is 0. */
export const portsFrom = (first: number): Ports =>
  Object.fromEntries(services.map((name, index) => [name, first === 0 ? 0 : first + index])) as Ports;

/** @throws PortInUse with a message for the person who started the stage */
export async function assertFree(ports: Ports): Promise<void> {
  for (const port of Object.values(ports)) {
    if (port === 0) continue;
    const server = createServer();
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      const reason = code === "EADDRINUSE" ? "is in use" : `cannot be used (${code})`;
      throw new PortInUse(`Port ${port} ${reason}. Stop what listens there, or choose others: PORT=5000 npm start`, {
        cause,
      });
    }
    await new Promise((closed) => server.close(closed));
  }
}
