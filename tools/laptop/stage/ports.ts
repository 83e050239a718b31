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

/** The ports that browsers and Node's fetch refuse to call: https://fetch.spec.whatwg.org/#port-blocking. */
export const blockedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * The API's port and the ports after it; all 0 (any free port) when the first is 0.
 * @throws WrongPort when a service would have a port that browsers refuse to call
 */
export function portsFrom(first: number): Ports {
  if (first === 0) return Object.fromEntries(services.map((name) => [name, 0])) as Ports;
  const last = first + services.length - 1;
  const blocked = services.map((_, index) => first + index).find((port) => blockedPorts.has(port));
  if (blocked !== undefined) {
    throw new WrongPort(
      `Browsers and Node refuse to call port ${blocked}, and the stage would take the ports ${first} to ${last}. ` +
        "Choose others: PORT=5000 npm start",
    );
  }
  return Object.fromEntries(services.map((name, index) => [name, first + index])) as Ports;
}

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
