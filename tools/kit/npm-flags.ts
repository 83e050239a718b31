/** Reads the words of a command, and detects flags that npm got instead, because `--` before them is missing. */
import { parseArgs } from "node:util";
import { usageOf } from "./usage.ts";

/** The command cannot begin: its arguments or its file are wrong. */
export class UsageError extends Error {}

/** The options of a command, for Node's `parseArgs`. */
export type Options = Readonly<Record<string, { readonly type: "boolean" | "string" }>>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * npm consumes flags before `--`, and passes them on only as variables: `--reset` as npm_config_reset=true,
 * `--no-seed` as an empty npm_config_seed (https://docs.npmjs.com/cli/v11/using-npm/scripts, "Environment").
 */
function flagIn(environment: Environment, name: string): string | undefined {
  const variable = (key: string) => environment[`npm_config_${key.replaceAll("-", "_")}`];
  if (name.startsWith("no-")) return variable(name.slice("no-".length)) === "" ? `--${name}` : undefined;
  const value = variable(name);
  if (value === undefined || value === "") return undefined;
  return value === "true" ? `--${name}` : `--${name}=${value}`;
}

/**
 * A sentence with the intended command; undefined when npm consumed no flag of the command.
 *
 * @param script the name of the script in `package.json`, and of its command if it has several: `once import`; variables
 *   of other scripts are irrelevant
 * @param args the command's arguments: npm passes on words other than flags, such as the value of a flag
 */
export function forgottenDashes(
  script: string,
  args: readonly string[],
  options: Options,
  environment: Environment = process.env,
): string | undefined {
  const [event, ...name] = script.split(" ");
  if (environment.npm_lifecycle_event !== event) return undefined;
  const kept = Object.keys(options).flatMap((name) => flagIn(environment, name) ?? []);
  if (kept.length === 0) return undefined;
  const command = script === "start" ? "npm start" : `npm run ${event}`;
  const words = [...name, ...kept, ...args].join(" ");
  return `npm kept ${kept.join(", ")} for itself, because -- is missing before it. Write: ${command} -- ${words}`;
}

/**
 * The flags and the other words of a command.
 * @param script the name of its file in `bin`, which says how it is called: `smoke`, `once import`
 * @param usage of a command that says it itself
 * @throws UsageError
 */
export function commandWords<Wanted extends Options>(
  script: string,
  args: readonly string[],
  options: Wanted,
  usage = usageOf(script),
) {
  const forgotten = forgottenDashes(script, args, options);
  if (forgotten !== undefined) throw new UsageError(forgotten);
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (problem) {
    throw new UsageError(`${(problem as Error).message} ${usage}`);
  }
}
