/** The stage that an import writes to, from its outputs file. */
import type { Settings } from "#kit/env.ts";
import { localStage } from "../../lib/stages.ts";
import { outputsIn } from "../smoke/outputs.ts";
import type { StageValues } from "./survey.ts";

export interface Target {
  /** Shown before anything is written. */
  readonly name: string;
  readonly values: StageValues;
  /** The environment variables for the stores and the AWS client. */
  readonly environment: Settings & Readonly<Record<string, string>>;
}

/** The holds of the stage, as environment variables. */
const holdSettings = ({ newRegistration, promotion, acceptance }: StageValues["holds"]) => ({
  NEW_REGISTRATION_HOLD_MS: String(newRegistration),
  PROMOTION_HOLD_MS: String(promotion),
  ACCEPTANCE_HOLD_MS: String(acceptance),
});

/** @throws UsageError */
export async function targetIn(file: string): Promise<Target> {
  const { outputs, stage, text } = await outputsIn(file);
  if (stage) {
    const [ofPool] = text("UserPoolId").split("_");
    const region = typeof outputs.Region === "string" ? outputs.Region : String(ofPool);
    const table = text("TableName");
    return {
      name: `${stage.name} (table ${table} in ${region})`,
      values: {
        timeZone: stage.timeZone,
        currency: stage.currency,
        adminDomain: stage.adminEmailDomain,
        holds: stage.holds,
      },
      environment: { TABLE_NAME: table, AWS_REGION: region, ...holdSettings(stage.holds) },
    };
  }
  const { timeZone, currency, holds } = localStage();
  return {
    name: `the laptop (${text("dynamodbUrl")})`,
    values: { timeZone, currency, holds, adminDomain: text("adminEmailDomain") },
    environment: {
      TABLE_NAME: text("tableName"),
      AWS_REGION: text("region"),
      AWS_ENDPOINT_URL_DYNAMODB: text("dynamodbUrl"),
      // The laptop stage accepts any key.
      AWS_ACCESS_KEY_ID: "LOCALImport",
      AWS_SECRET_ACCESS_KEY: "local",
      ...holdSettings(holds),
    },
  };
}
