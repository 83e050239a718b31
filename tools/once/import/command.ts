/** `npm run once -- import --from <folder> --to <outputs file>`: imports the records of the club's previous backend. */
import { stat } from "node:fs/promises";
import { commandWords, UsageError } from "../../kit/npm-flags.ts";
import { type Target, targetIn } from "../../kit/target.ts";
import { usageOf } from "../../kit/usage.ts";
import { summaryLines, writeReport, writtenLine } from "./report.ts";
import { valuesOf } from "./source/values.ts";

/** 0: success. 1: an unreadable source. 2: usage error. 130: interrupted. */
export type ExitCode = 0 | 1 | 2 | 130;

const usage = usageOf("once import");

const options = {
  from: { type: "string" },
  to: { type: "string" },
  /** Reads and compares, and writes nothing. */
  "dry-run": { type: "boolean", default: false },
  /** Confirms the import without a prompt. */
  yes: { type: "boolean", default: false },
  /** Sends the tickets of upcoming events. */
  tell: { type: "boolean", default: false },
  /** Folder of the report. */
  report: { type: "string", default: "import-report" },
} as const;

interface Asked {
  readonly from: string;
  readonly to: string;
  readonly target: Target;
  readonly report: string;
  readonly dry: boolean;
  readonly yes: boolean;
  readonly tell: boolean;
}

/** @throws UsageError */
async function asked(args: readonly string[]): Promise<Asked> {
  const { values, positionals } = commandWords("once import", args, options);
  const { from, to, report, yes, tell } = values;
  if (!from || !to || positionals.length > 0) throw new UsageError(usage);
  const folder = await stat(from).catch(() => undefined);
  if (!folder?.isDirectory()) throw new UsageError(`${from} is no folder.`);
  return { from, to, target: await targetIn(to), report, dry: values["dry-run"], yes, tell };
}

/** The terminal functions that the command needs. */
export interface Terminal {
  print(line: string): void;
  /** Asks a yes/no question; undefined in a non-interactive terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/**
 * The command without its process.
 * @param args after `npm run once -- import`
 * @param stop ends the run between two transactions
 */
export async function importCommand(
  args: readonly string[],
  { print, confirm }: Terminal,
  stop?: AbortSignal,
): Promise<ExitCode> {
  let wanted: Asked;
  try {
    wanted = await asked(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    print(error.message);
    return 2;
  }
  const { from, to, target, report, dry, yes, tell } = wanted;
  Object.assign(process.env, target.environment);
  // Loaded after the environment is set: the stores read the table's name when they are loaded.
  const [{ runImport }, { Interrupted }, { Unreadable }] = await Promise.all([
    import("./run.ts"),
    import("./write/batches.ts"),
    import("./source/rows.ts"),
  ]);
  let isRefused = false;
  try {
    print(`reading ${from} …`);
    const { told } = await runImport(
      { from, values: valuesOf(target.stage), dry, tell, ...(stop && { stop }) },
      {
        async surveyed(found, source) {
          await writeReport(report, found);
          print(`${source.files} files in ${from}; the report is in ${report}.`);
          for (const line of summaryLines(found, source.unknown, source.membersOf)) print(line);
          if (dry) print(`A dry run: compared with ${target.name}, and nothing is written.`);
          if (dry || yes) return true;
          isRefused = !(await confirm?.(`Write this to ${target.name}${tell ? ", and send the tickets" : ""}?`));
          return !isRefused;
        },
        written: (kind, verdicts) => print(`${dry ? "would be: " : ""}${writtenLine(kind, verdicts)}`),
      },
    );
    if (isRefused) {
      print(confirm ? "Nothing is written." : `Nothing is written: no person can be asked here. Add --yes. ${usage}`);
      return confirm ? 0 : 2;
    }
    if (tell && !dry) print(`${told.toLocaleString("en")} tickets are on their way.`);
    if (!dry) print(`Next: npm run ops -- check --stage-outputs ${to}`);
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) {
      print("Interrupted. What is written is whole; run the same command again, and it goes on.");
      return 130;
    }
    if (!(error instanceof Unreadable)) throw error;
    print(error.message);
    return 1;
  }
}
