/** Formats build errors: the location, the error, and the line. */
import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Message } from "esbuild";

interface Place {
  readonly path: string;
  readonly line: number;
  /** From 0. */
  readonly column: number;
  readonly text: string;
}

/** A plugin imports declarations. Its message is the error of that import, with the location on a separate line. */
function placeOf({ text, location, detail }: Message): Place | string {
  const [, path, line, column, what] = /^(.+?):(\d+):(\d+): ERROR: (.*)$/m.exec(text) ?? [];
  if (path !== undefined) return { path, line: Number(line), column: Number(column), text: what as string };
  // Includes the error's name, unless it is the generic one.
  const named = detail instanceof Error && detail.name !== "Error" ? `${detail.name}: ${text}` : text;
  return location ? { path: location.file, line: location.line, column: location.column, text: named } : named;
}

function blockOf(place: Place | string, root: string): string {
  if (typeof place === "string") return place;
  const path = resolve(root, place.path);
  const head = `${relative(root, path)}:${place.line}:${place.column + 1}: ${place.text}`;
  try {
    const line = readFileSync(path, "utf8").split("\n")[place.line - 1]?.trimEnd() ?? "";
    const shown = `  ${line.replaceAll("\t", " ")}`;
    return `${head}\n${shown}\n${" ".repeat(place.column + 2)}^`;
  } catch {
    return head;
  }
}

/** One block of text per error of the bundler; undefined for other errors. */
export function buildProblem(problem: unknown, root: string): string | undefined {
  const { errors } = problem as { errors?: readonly Message[] };
  if (!Array.isArray(errors)) return undefined;
  return errors.map((error: Message) => blockOf(placeOf(error), root)).join("\n");
}
