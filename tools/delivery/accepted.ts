/** The changes that a reviewer has accepted: lines of `accepted.json`, each for one change of one stack. */
import { readFile } from "node:fs/promises";
import type { Finding } from "./judge.ts";

export interface Accepted extends Pick<Finding, "name" | "change"> {
  readonly stack: string;
  readonly reason: string;
}

/** The file is not what it should be. */
export class WrongAcceptance extends Error {}

const isAcceptance = (one: Partial<Accepted> | null): one is Accepted =>
  [one?.stack, one?.name, one?.reason].every((text) => typeof text === "string" && text.trim() !== "") &&
  /^[0-9a-f]{12}$/.test(one?.change ?? "");

/** @throws WrongAcceptance */
export async function acceptedIn(file: string, stack: string): Promise<Accepted[]> {
  try {
    const all: unknown = JSON.parse(await readFile(file, "utf8"));
    if (Array.isArray(all) && all.every(isAcceptance)) return all.filter((one) => one.stack === stack);
  } catch (error) {
    throw new WrongAcceptance(`${file} cannot be read: ${(error as Error).message}`);
  }
  throw new WrongAcceptance(`${file} is no list of objects with stack, name, change and reason.`);
}
