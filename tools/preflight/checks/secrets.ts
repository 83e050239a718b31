/** The manually created secrets: present and well-formed. Findings never contain their values. */
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { parseCredentials } from "#domain/payments/provider/parse-credentials.ts";
import type { StageConfig } from "../../../lib/stages.ts";
import { isNamed } from "../../kit/failures.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";
import { describedStack } from "../check-kit/stack.ts";
import { paymentEndpoint } from "../mends/payment-endpoint.ts";
import { providerFindings } from "./provider.ts";

/** The state of a secret in Secrets Manager. */
type Stored = { readonly text: string } | "absent" | "scheduled for deletion";

async function stored({ clients }: Account, name: string): Promise<Stored> {
  try {
    const request = clients.secrets.send(new GetSecretValueCommand({ SecretId: name }));
    const { SecretString: text = "" } = await asking("secretsmanager:GetSecretValue", request);
    return { text };
  } catch (error) {
    if (isNamed(error, "ResourceNotFoundException")) return "absent";
    // The only possible cause of this error for a manually created secret.
    // https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
    if (isNamed(error, "InvalidRequestException")) return "scheduled for deletion";
    throw error;
  }
}

/** A kind of secret, and its validation. */
interface Kind {
  /** The purpose of the secret, to begin a sentence. */
  readonly of: string;
  /** A sample value, quoted for the shell. */
  readonly sample: string;
  /** @returns the finding, without a value @throws Error with the problem, without a value */
  readonly judge: (text: string, stage: StageConfig) => string;
  readonly whenAbsent: (name: string, account: Account) => Promise<Finding> | Finding;
  /** What only its service knows of a secret that is well-formed. */
  readonly tried?: (text: string, account: Account) => Promise<Finding[]>;
}

const create = (name: string, sample: string) =>
  `aws secretsmanager create-secret --name ${name} --secret-string '${sample}'`;

async function judged(account: Account, name: string, kind: Kind): Promise<Finding[]> {
  const { of, sample, judge, whenAbsent, tried } = kind;
  const found = await stored(account, name);
  if (found === "absent") return [await whenAbsent(name, account)];
  if (found === "scheduled for deletion") {
    const text = `the ${of} secret ${name} is scheduled for deletion.`;
    return [problem(text, `aws secretsmanager restore-secret --secret-id ${name}`)];
  }
  let judgement: string;
  try {
    judgement = judge(found.text, account.stage);
  } catch (wrong) {
    const text = `the secret ${name} cannot be used: ${(wrong as Error).message}`;
    return [problem(text, `aws secretsmanager put-secret-value --secret-id ${name} --secret-string '${sample}'`)];
  }
  const isWellFormed = ok(`the ${of} secret ${name} has ${judgement}.`);
  return [isWellFormed, ...((await tried?.(found.text, account)) ?? [])];
}

/** The mode of a key of the payment provider: `test` or `live`. https://docs.stripe.com/keys */
const modeOf = (apiKey: string): string => /^[sr]k_(test|live)_/.exec(apiKey)?.[1] ?? "unknown";

/** Undefined before the first deploy. */
async function apiUrlOf(account: Account): Promise<string | undefined> {
  const outputs = (await describedStack(account))?.Outputs ?? [];
  return outputs.find(({ OutputKey }) => OutputKey === "ApiUrl")?.OutputValue;
}

const payments = (stage: StageConfig): Kind => {
  const { name } = stage;
  const sample = `{"apiKey":"sk_${name === "production" ? "live" : "test"}_…","webhookSecrets":["whsec_…"]}`;
  const judge = (text: string): string => {
    const { apiKey, webhookSecrets } = parseCredentials(text);
    const mode = modeOf(apiKey);
    if (name === "production" && mode === "test") {
      throw new Error("The payments secret of production has a key of the test mode: no person really pays.");
    }
    if (name !== "production" && mode === "live") {
      throw new Error(`The payments secret of ${name} has a live key: test payments would cost real money.`);
    }
    return `a key of the ${mode} mode and webhook secrets: ${webhookSecrets.length}`;
  };
  return {
    of: "payments",
    sample,
    judge,
    whenAbsent: async (secret, account) => {
      const text = `there is no payments secret ${secret}: no person can pay.`;
      // The webhook's secret requires its endpoint, which requires the API's URL.
      const apiUrl = await apiUrlOf(account);
      if (apiUrl) return problem(text, create(secret, sample), paymentEndpoint(account, { secret, apiUrl, judge }));
      return warning(text, 'store it after the deploy: docs/deploy.md, "After the first deploy".');
    },
    tried: async (text, account) =>
      providerFindings(parseCredentials(text).apiKey, await apiUrlOf(account), stage.currency),
  };
};

/** @throws Error without the text */
function judgeChat(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === "https:") return "an https address";
  throw new Error("The chat secret is no https address.");
}

const chat: Kind = {
  of: "chat",
  sample: "https://hooks.…",
  judge: judgeChat,
  whenAbsent: (name) =>
    problem(
      `there is no chat secret ${name}: every message to the chat would fail.`,
      `${create(name, chat.sample)}, or remove chatWebhookSecret of the stage in lib/stages.ts.`,
    ),
};

const google: Kind = {
  of: "Google",
  sample: '{"clientId":"…","clientSecret":"…"}',
  judge: (text) => {
    const wrong = ["clientId", "clientSecret"].filter((field) => !hasText(text, field));
    if (wrong.length === 0) return "clientId and clientSecret";
    throw new Error(`The Google secret has no ${wrong.join(" and no ")}.`);
  },
  whenAbsent: (name) =>
    problem(
      `there is no Google secret ${name}: the deploy would fail.`,
      `${create(name, google.sample)}, or remove identity.googleSecretName of the stage in lib/stages.ts.`,
    ),
};

/** Whether a JSON object has a string in this field. */
function hasText(json: string, field: string): boolean {
  try {
    const value = (JSON.parse(json) as Record<string, unknown> | null)?.[field];
    return typeof value === "string" && value !== "";
  } catch {
    return false; // The parser's message contains the secret text, so it must not be passed on.
  }
}

export const paymentsSecret: Check = {
  name: "payments",
  isForDeploy: false,
  look: async (account) => judged(account, account.stage.paymentsSecret, payments(account.stage)),
};

export const chatSecret: Check = {
  name: "chat",
  isForDeploy: false,
  look: async (account) => {
    const { chatWebhookSecret } = account.stage;
    if (chatWebhookSecret === undefined) return [ok("the stage has no chat.")];
    return judged(account, chatWebhookSecret, chat);
  },
};

export const googleSecret: Check = {
  name: "Google",
  isForDeploy: true,
  look: async (account) => {
    const { identity } = account.stage;
    if (identity.existing) return [ok("the stage uses an existing user pool, which has its own providers.")];
    const { googleSecretName } = identity;
    if (googleSecretName === undefined) return [ok("the stage has no sign-in with Google.")];
    return judged(account, googleSecretName, google);
  },
};
