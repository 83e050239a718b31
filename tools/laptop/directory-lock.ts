/**
 * Prevents two local stages from using one directory. The lock is a socket, which ends with its process: no lock is
 * left after a crash.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Another process uses the directory. */
export class DirectoryInUse extends Error {}

/**
 * Takes the directory until the returned function is called or the process ends.
 * @throws DirectoryInUse when another local stage has it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const name = `club-events-${createHash("sha256").update(resolve(directory)).digest("hex").slice(0, 16)}`;
  const address = process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
  if (await answers(address)) {
    throw new DirectoryInUse(`Another local stage is using ${resolve(directory)}. Stop it first.`);
  }
  // A killed process leaves the file of its socket.
  if (process.platform !== "win32") await rm(address, { force: true });
  const server = createServer((socket) => socket.destroy());
  server.listen(address);
  await once(server, "listening");
  server.unref();
  return () => new Promise((released) => server.close(() => released()));
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
