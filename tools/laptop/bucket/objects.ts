/** The objects of a bucket, in memory or in a folder. A stop or a kill loses no object whose upload was answered. */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface ObjectDescription {
  readonly key: string;
  readonly contentType: string;
  readonly cacheControl?: string;
  /** `x-amz-meta-*` without the prefix. */
  readonly metadata: Readonly<Record<string, string>>;
  /** With its quotes. */
  readonly etag: string;
  /** Epoch milliseconds. */
  readonly lastModified: number;
  /** Bytes. */
  readonly size: number;
}

export type ObjectHeaders = Pick<ObjectDescription, "contentType" | "cacheControl" | "metadata">;

/** The stored objects. */
interface Objects {
  describe(key: string): ObjectDescription | undefined;
  /** All of them. */
  list(): ObjectDescription[];
  read(key: string): Promise<Buffer>;
  write(key: string, body: Buffer, headers: ObjectHeaders, now: number): Promise<ObjectDescription>;
  remove(key: string): Promise<void>;
}

export interface ObjectStore extends Pick<Objects, "describe" | "list" | "read"> {
  /** Changes run one after the other: the data that a step has read are unchanged when it writes. */
  change<T>(step: (objects: Objects) => Promise<T>): Promise<T>;
}

function oneAtATime(objects: Objects): ObjectStore {
  let last: Promise<unknown> = Promise.resolve();
  return {
    describe: objects.describe,
    list: objects.list,
    read: objects.read,
    change(step) {
      const next = last.then(() => step(objects));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

const describe = (key: string, body: Buffer, headers: ObjectHeaders, now: number): ObjectDescription => ({
  key,
  contentType: headers.contentType,
  cacheControl: headers.cacheControl,
  metadata: headers.metadata,
  etag: `"${createHash("md5").update(body).digest("hex")}"`,
  lastModified: now,
  size: body.length,
});

export function memoryObjects(): ObjectStore {
  const objects = new Map<string, { description: ObjectDescription; body: Buffer }>();
  return oneAtATime({
    describe: (key) => objects.get(key)?.description,
    list: () => [...objects.values()].map(({ description }) => description),
    read: async (key) => objects.get(key)?.body ?? Buffer.alloc(0),
    async write(key, body, headers, now) {
      const description = describe(key, body, headers, now);
      objects.set(key, { description, body });
      return description;
    },
    async remove(key) {
      objects.delete(key);
    },
  });
}

/** The stored data of an object besides its bytes. */
interface Entry {
  readonly description: ObjectDescription;
  /** File with the bytes. */
  readonly file: string;
}

/** Files are named by hashes and random ids, so that no key can reach outside the folder. */
export async function folderObjects(folder: string): Promise<ObjectStore> {
  await mkdir(folder, { recursive: true });
  const entries = new Map<string, Entry>();
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.endsWith(".json"))) {
    const entry = JSON.parse(await readFile(join(folder, name), "utf8")) as Entry;
    entries.set(entry.description.key, entry);
  }
  // Files that a kill left behind.
  const used = new Set([...entries.values()].map(({ file }) => file));
  for (const name of names.filter((one) => /\.(bin|tmp)$/.test(one) && !used.has(one))) await rm(join(folder, name));

  const entryFile = (key: string) => join(folder, `${createHash("sha256").update(key).digest("hex")}.json`);
  return oneAtATime({
    describe: (key) => entries.get(key)?.description,
    list: () => [...entries.values()].map(({ description }) => description),
    // Read synchronously, so that no change comes between a description and its bytes.
    read: async (key) => readFileSync(join(folder, entries.get(key)?.file ?? "missing")),
    async write(key, body, headers, now) {
      const entry: Entry = { description: describe(key, body, headers, now), file: `${randomUUID()}.bin` };
      await writeFile(join(folder, entry.file), body);
      const temporary = join(folder, `${randomUUID()}.tmp`);
      await writeFile(temporary, JSON.stringify(entry));
      const previous = entries.get(key);
      await rename(temporary, entryFile(key));
      entries.set(key, entry);
      if (previous) await rm(join(folder, previous.file), { force: true });
      return entry.description;
    },
    async remove(key) {
      const entry = entries.get(key);
      if (!entry) return;
      entries.delete(key);
      await rm(entryFile(key), { force: true });
      await rm(join(folder, entry.file), { force: true });
    },
  });
}
