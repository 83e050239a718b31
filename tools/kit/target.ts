/** The stage that a command works on, out of its outputs file. */
import { stackName } from "../../lib/stage-names.ts";
import { localStage, type StageConfig } from "../../lib/stages.ts";
import { type OutputsOfStage, outputsIn } from "./outputs.ts";

export interface Target extends Pick<OutputsOfStage, "text"> {
  /** Shown before anything is written. */
  readonly name: string;
  readonly isLaptop: boolean;
  /** The values of the stage. The laptop's `adminEmailDomain` is that of the running stage. */
  readonly stage: StageConfig;
  readonly stackName: string;
  readonly region: string;
  /** The variables that the stores and the client of AWS expect. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The holds of the stage, as the rules for lines and seats expect them. */
const holdSettings = ({ newRegistration, promotion, acceptance }: StageConfig["holds"]) => ({
  NEW_REGISTRATION_HOLD_MS: String(newRegistration),
  PROMOTION_HOLD_MS: String(promotion),
  ACCEPTANCE_HOLD_MS: String(acceptance),
});

/** @throws UsageError */
export async function targetIn(file: string): Promise<Target> {
  const { outputs, stage, text } = await outputsIn(file);
  return stage ? deployed(stage, outputs, text) : laptop(text);
}

function deployed(stage: StageConfig, outputs: OutputsOfStage["outputs"], text: OutputsOfStage["text"]): Target {
  const [ofPool] = text("UserPoolId").split("_");
  const region = typeof outputs.Region === "string" ? outputs.Region : String(ofPool);
  const table = text("TableName");
  return {
    name: `${stage.name} (table ${table} in ${region})`,
    isLaptop: false,
    stage,
    stackName: stackName(stage.name),
    region,
    text,
    environment: { TABLE_NAME: table, AWS_REGION: region, ...holdSettings(stage.holds) },
  };
}

function laptop(text: OutputsOfStage["text"]): Target {
  const stage = { ...localStage(), adminEmailDomain: text("adminEmailDomain") };
  const region = text("region");
  return {
    name: `the laptop (${text("dynamodbUrl")})`,
    isLaptop: true,
    stage,
    stackName: stackName(stage.name),
    region,
    text,
    environment: {
      TABLE_NAME: text("tableName"),
      AWS_REGION: region,
      AWS_ENDPOINT_URL_DYNAMODB: text("dynamodbUrl"),
      // The laptop takes any key.
      AWS_ACCESS_KEY_ID: "LOCALTools",
      AWS_SECRET_ACCESS_KEY: "local",
      ...holdSettings(stage.holds),
    },
  };
}
