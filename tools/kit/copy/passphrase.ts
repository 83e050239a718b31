/** The passphrase of a copy. It is never an argument, which the shell and the list of processes would keep. */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CopyProblem } from "./folder.ts";

/** Names a file with the passphrase in its first line. */
export const passphraseVariable = "COPY_PASSPHRASE_FILE";

/** Characters that a new passphrase must have: who has the folder can guess for years. */
const shortest = 16;

/** Asks a person, without showing what is typed. */
export type Ask = (question: string) => Promise<string>;

/**
 * Asks on the terminal of this process.
 * @returns undefined when there is no person at it
 */
export function hiddenQuestion(): Ask | undefined {
  if (!process.stdin.isTTY) return undefined;
  return async (question) => {
    process.stderr.write(question);
    // The echo of what is typed goes nowhere.
    const output = new Writable({ write: (_text, _encoding, written) => written() });
    const terminal = createInterface({ input: process.stdin, output, terminal: true });
    try {
      const given = new Promise<never>((_, refuse) => {
        terminal.once("close", () => refuse(new CopyProblem("No passphrase was given.")));
      });
      return await Promise.race([terminal.question(""), given]);
    } finally {
      process.stderr.write("\n");
      terminal.close();
    }
  };
}

/** @throws CopyProblem */
async function passphraseIn(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CopyProblem(`${file}, which ${passphraseVariable} names, cannot be read (${error.code}).`);
  });
  return text.split(/\r?\n/)[0] ?? "";
}

/**
 * The passphrase out of the file that the variable names, or from a person.
 * @param isNew whether it is to be the passphrase of a new copy: then it must be long, and a person types it twice
 * @throws CopyProblem
 */
export async function passphraseFrom(
  ask: Ask | undefined,
  isNew: boolean,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  const file = environment[passphraseVariable];
  if (file === undefined && !ask) {
    throw new CopyProblem(
      `No person can be asked for the passphrase here: write it into a file that ${passphraseVariable} names.`,
    );
  }
  const given = file === undefined ? await ask?.("Passphrase of the copy: ") : await passphraseIn(file);
  if (!given) throw new CopyProblem("The passphrase is empty.");
  if (!isNew) return given;
  if (given.length < shortest) {
    throw new CopyProblem(`The passphrase must have at least ${shortest} characters: take five random words.`);
  }
  if (file === undefined && (await ask?.("The same again: ")) !== given) {
    throw new CopyProblem("The two passphrases differ.");
  }
  return given;
}
