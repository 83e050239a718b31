/** A folder for one test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes an empty folder. `open` is what the test closes at its end; the folder is removed then. @returns its path */
export async function givenFolder(open: (() => unknown)[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "test-"));
  open.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
