/** Generates secrets as `GenerateSecretString` describes them. */
import { randomInt } from "node:crypto";

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-secretsmanager-secret-generatesecretstring.html */
export interface GenerateSecretString {
  readonly ExcludePunctuation?: boolean;
  /** Characters; 32 when absent. */
  readonly PasswordLength?: number;
}

const letters = "abcdefghijklmnopqrstuvwxyz";
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** @throws Error for a property that the local stage does not support */
export function generateSecret({ PasswordLength = 32, ExcludePunctuation, ...others }: GenerateSecretString): string {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Error(`The local stage generates no secret with ${unknown}.`);
  const all = `${letters}${letters.toUpperCase()}0123456789${ExcludePunctuation ? "" : punctuation}`;
  return Array.from({ length: PasswordLength }, () => all.charAt(randomInt(all.length))).join("");
}
