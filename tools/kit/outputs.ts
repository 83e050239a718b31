/** The outputs file of a stage: of `npx cdk deploy --outputs-file`, or `.local/outputs.json` of the laptop. */
import { readFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { stackName } from "../../lib/stage-names.ts";
import { production, type StageConfig, staging } from "../../lib/stages.ts";
import { UsageError } from "./npm-flags.ts";

export { UsageError };

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns reads an output by its name; it throws UsageError when the output is missing */
const reader = (file: string, outputs: Fields) => (name: string) => {
  const value = outputs[name];
  if (typeof value === "string" && value !== "") return value;
  throw new UsageError(`${file} has no output ${name}.`);
};

/** The outputs of one stage; of a deployed one, its values too. */
export interface OutputsOfStage {
  /** @returns the output of this name, which is a text. @throws UsageError when it is missing */
  readonly text: (name: string) => string;
  readonly outputs: Fields;
  /** Absent: the laptop. */
  readonly stage?: StageConfig;
  /** Of a deployed stage. */
  readonly stackName?: string;
}

/** @throws UsageError when the file does not name exactly one stage */
export async function outputsIn(file: string): Promise<OutputsOfStage> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    const isLaptop = resolve(file).endsWith(join(sep, ".local", "outputs.json"));
    const advice = isLaptop ? ' Start the local stage with npm start, and wait for "ready".' : "";
    throw new UsageError(`${file} cannot be read (${error.code}).${advice}`);
  });
  let outputs: unknown;
  try {
    outputs = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON.`);
  }
  if (!isObject(outputs)) throw new UsageError(`${file} has no outputs.`);
  if ("apiUrl" in outputs) return { outputs, text: reader(file, outputs) };
  const stages = [staging, production].filter(({ name }) => stackName(name) in outputs);
  const [stage] = stages;
  if (stage === undefined || stages.length > 1) {
    const names = [staging, production].map(({ name }) => stackName(name)).join(" or ");
    throw new UsageError(`${file} must have the outputs of one stack, ${names}, or those of the laptop.`);
  }
  const own = outputs[stackName(stage.name)];
  const ofStack = isObject(own) ? own : {};
  return { outputs: ofStack, text: reader(file, ofStack), stage, stackName: stackName(stage.name) };
}
