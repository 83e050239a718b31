/** The manually created secrets: present and well-formed. Findings never contain their values. */
import { GetSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { parseCredentials } from "#domain/payments/provider/parse-credentials.ts";
import { apiVersion } from "#domain/payments/provider/session.ts";
import { relevantTypes } from "#domain/payments/provider-events/provider-event.ts";
import type { StageConfig } from "../../../lib/stages.ts";
import { isNamed } from "../../kit/failures.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";
import { stackOutput } from "../check-kit/stack.ts";
import { providerFindings, webhookUrl } from "./provider.ts";

/** A secret, and its validation. */
interface Kind {
  readonly name: string;
  /** A sample value, quoted for the shell. */
  readonly sample: string;
  /** @returns what it has, without a value @throws Error with the problem, without a value */
  readonly judge: (text: string) => string;
  readonly whenAbsent: Finding;
}

/** @returns undefined when there is no such secret @throws the error of AWS */
async function stored({ clients }: Account, name: string): Promise<string | undefined> {
  try {
    const request = clients.secrets.send(new GetSecretValueCommand({ SecretId: name }));
    return (await asking("secretsmanager:GetSecretValue", request)).SecretString ?? "";
  } catch (error) {
    if (isNamed(error, "ResourceNotFoundException")) return undefined;
    throw error;
  }
}

/** @returns the text of a well-formed secret with its finding; otherwise the finding alone */
async function judged(account: Account, kind: Kind): Promise<{ readonly finding: Finding; readonly text?: string }> {
  const { name, sample, judge, whenAbsent } = kind;
  const text = await stored(account, name);
  if (text === undefined) return { finding: whenAbsent };
  try {
    return { finding: ok(`the secret ${name} has ${judge(text)}.`), text };
  } catch (wrong) {
    const said = `the secret ${name} cannot be used: ${(wrong as Error).message}`;
    const fix = `aws secretsmanager put-secret-value --secret-id ${name} --secret-string '${sample}'`;
    return { finding: problem(said, fix) };
  }
}

/** The mode of a key of the payment provider: `test` or `live`. https://docs.stripe.com/keys */
const modeOf = (apiKey: string): string => /^[sr]k_(test|live)_/.exec(apiKey)?.[1] ?? "unknown";

function judgePayments(text: string, { name }: StageConfig): string {
  const { apiKey, webhookSecrets } = parseCredentials(text);
  const mode = modeOf(apiKey);
  if (name === "production" && mode === "test") {
    throw new Error("The payments secret of production has a key of the test mode: no person really pays.");
  }
  if (name !== "production" && mode === "live") {
    throw new Error(`The payments secret of ${name} has a live key: test payments would cost real money.`);
  }
  return `a key of the ${mode} mode and webhook secrets: ${webhookSecrets.length}`;
}

/**
 * The shell's line that creates the webhook's endpoint and stores its signing secret, which the provider tells only in this
 * answer (https://docs.stripe.com/api/webhook_endpoints/object, `secret`). When it cannot be stored, the file stays. Without
 * api_version the events have the account's version.
 */
function createEndpoint(secret: string, apiUrl: string): string {
  const fields = [`url=${webhookUrl(apiUrl)}`, `api_version=${apiVersion}`];
  const data = [...fields, ...relevantTypes.map((type) => `enabled_events[]=${type}`)].map((field) => `-d '${field}'`);
  return [
    `curl -sS --fail-with-body -u "$STRIPE_API_KEY:" https://api.stripe.com/v1/webhook_endpoints ${data.join(" ")}`,
    `jq -c '{apiKey: env.STRIPE_API_KEY, webhookSecrets: [.secret // error(.error.message)]}' > payments.json && aws secretsmanager create-secret --name ${secret} --secret-string file://payments.json && rm payments.json`,
  ].join(" | ");
}

/** The webhook's secret requires its endpoint, which requires the API's address. */
function noPayments(name: string, apiUrl: string | undefined): Finding {
  const text = `there is no payments secret ${name}: no person can pay.`;
  if (apiUrl) return problem(text, createEndpoint(name, apiUrl));
  return warning(text, 'store it after the deploy: docs/deploy.md, "After the first deploy".');
}

export const paymentsSecret: Check = {
  name: "payments",
  isForDeploy: false,
  look: async (account) => {
    const { stage } = account;
    const apiUrl = await stackOutput(account, "ApiUrl");
    const { finding, text } = await judged(account, {
      name: stage.paymentsSecret,
      sample: `{"apiKey":"sk_${stage.name === "production" ? "live" : "test"}_…","webhookSecrets":["whsec_…"]}`,
      judge: (secret) => judgePayments(secret, stage),
      whenAbsent: noPayments(stage.paymentsSecret, apiUrl),
    });
    if (text === undefined) return [finding];
    return [finding, ...(await providerFindings(parseCredentials(text).apiKey, apiUrl, stage.currency))];
  },
};

/** @throws Error without the text */
function judgeChat(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === "https:") return "an https address";
  throw new Error("The chat secret is no https address.");
}

export const chatSecret: Check = {
  name: "chat",
  isForDeploy: false,
  look: async (account) => {
    const { chatWebhookSecret: name } = account.stage;
    if (name === undefined) return [ok("the stage has no chat.")];
    const sample = "https://hooks.…";
    const whenAbsent = problem(
      `there is no chat secret ${name}: every message to the chat would fail.`,
      `aws secretsmanager create-secret --name ${name} --secret-string '${sample}', or remove chatWebhookSecret of the stage in lib/stages.ts.`,
    );
    return [(await judged(account, { name, sample, judge: judgeChat, whenAbsent })).finding];
  },
};
