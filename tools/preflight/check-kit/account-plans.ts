/** The Free Tier service, asked by the AWS command line: the SDK's client of it is not among the packages of every registry. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** https://docs.aws.amazon.com/aws-cost-management/latest/APIReference/API_freetier_GetAccountPlanState.html */
export interface AccountPlan {
  readonly accountPlanType?: "FREE" | "PAID";
  readonly accountPlanStatus?: "NOT_STARTED" | "ACTIVE" | "EXPIRED";
  /** ISO 8601. */
  readonly accountPlanExpirationDate?: string;
  /** What is left of the credits. */
  readonly accountPlanRemainingCredits?: { readonly amount?: number; readonly unit?: string };
}

/** The service is in this region only. */
const region = "us-east-1";

export class AccountPlans {
  readonly #environment: NodeJS.ProcessEnv;

  /** @param environment of the command line: where it is, and the credentials */
  constructor(environment: NodeJS.ProcessEnv = process.env) {
    this.#environment = environment;
  }

  /** @throws an error named as AWS names it; another error when there is no command line, or one that is too old */
  async state(): Promise<AccountPlan> {
    const args = ["freetier", "get-account-plan-state", "--region", region, "--output", "json"];
    try {
      const { stdout } = await promisify(execFile)("aws", args, { env: this.#environment, timeout: 16_000 });
      return JSON.parse(stdout) as AccountPlan;
    } catch (error) {
      const [, name] = /An error occurred \((\w+)\)/.exec((error as Error).message) ?? [];
      throw name === undefined ? error : Object.assign(new Error(name, { cause: error }), { name });
    }
  }
}
