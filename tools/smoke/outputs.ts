/** The outputs file of a stage: from `npx cdk deploy --outputs-file`, or the laptop's `.local/outputs.json`. */
import { readFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { stackName } from "../../lib/stage-names.ts";
import { production, type StageConfig, staging } from "../../lib/stages.ts";

/** Invalid arguments, or an invalid file. */
export class UsageError extends Error {}

/** The common values of both kinds of stages. */
interface AnyStage {
  readonly apiUrl: string;
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly imageBucket: string;
  readonly adminEmailDomain: string;
}

export interface DeployedStage extends AnyStage {
  readonly kind: "deployed";
  readonly name: "staging" | "production";
  /** Name of the secret in Secrets Manager. */
  readonly paymentsSecret: string;
}

export interface LaptopStage extends AnyStage {
  readonly kind: "laptop";
  readonly identityUrl: string;
  readonly imagesUrl: string;
  readonly mailUrl: string;
  readonly webhookSecret: string;
}

export type TestedStage = DeployedStage | LaptopStage;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns a function that reads an output by name, or throws UsageError */
const reader = (file: string, outputs: Fields) => (name: string) => {
  const value = outputs[name];
  if (typeof value === "string" && value !== "") return value;
  throw new UsageError(`${file} has no output ${name}.`);
};

/** The API's URL, without a trailing slash. @throws UsageError */
function address(file: string, outputs: Fields, name: string): string {
  const text = reader(file, outputs)(name);
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw new UsageError(`${name} is no web address in ${file}.`);
  return text.replace(/\/+$/, "");
}

/** The outputs of the laptop. */
function laptop(file: string, outputs: Fields): LaptopStage {
  const text = reader(file, outputs);
  return {
    kind: "laptop",
    apiUrl: address(file, outputs, "apiUrl"),
    region: text("region"),
    userPoolId: text("userPoolId"),
    userPoolClientId: text("userPoolClientId"),
    imageBucket: text("imageBucket"),
    adminEmailDomain: text("adminEmailDomain"),
    identityUrl: text("identityUrl"),
    imagesUrl: text("imagesUrl"),
    mailUrl: text("mailUrl"),
    webhookSecret: text("webhookSecret"),
  };
}

/** The outputs of a stack. The id of a user pool begins with its region. */
function deployed(file: string, outputs: Fields, stage: StageConfig): DeployedStage {
  const text = reader(file, outputs);
  const userPoolId = text("UserPoolId");
  const { Region: region = userPoolId.split("_")[0] } = outputs;
  return {
    kind: "deployed",
    name: stage.name as DeployedStage["name"],
    apiUrl: address(file, outputs, "ApiUrl"),
    region: String(region),
    userPoolId,
    userPoolClientId: text("UserPoolClientId"),
    imageBucket: text("ImageBucketName"),
    adminEmailDomain: stage.adminEmailDomain,
    paymentsSecret: stage.paymentsSecret,
  };
}

/** The outputs of one stage; of a deployed one, its values too. */
export interface OutputsOfStage {
  /** @returns the output with this name, a string @throws UsageError it is missing */
  readonly text: (name: string) => string;
  readonly outputs: Fields;
  /** Absent: the laptop. */
  readonly stage?: StageConfig;
}

/** @throws UsageError the file is not for exactly one stage */
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
  return { outputs: ofStack, text: reader(file, ofStack), stage };
}

/** @throws UsageError the file is not for exactly one stage with all required outputs */
export async function stageIn(file: string): Promise<TestedStage> {
  const { outputs, stage } = await outputsIn(file);
  return stage === undefined ? laptop(file, outputs) : deployed(file, outputs, stage);
}
