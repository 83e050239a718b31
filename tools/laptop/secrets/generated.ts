/** Generates secrets as `GenerateSecretString` describes them. */
import { randomInt } from "node:crypto";

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-secretsmanager-secret-generatesecretstring.html */
export interface GenerateSecretString {
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly ExcludeUppercase?: boolean;
  /** Name of the field in the template that gets the generated text. */
  readonly GenerateStringKey?: string;
  readonly IncludeSpace?: boolean;
  /** Characters; 32 when absent. */
  readonly PasswordLength?: number;
  /** True when absent. */
  readonly RequireEachIncludedType?: boolean;
  /** JSON. */
  readonly SecretStringTemplate?: string;
}

const lowercase = "abcdefghijklmnopqrstuvwxyz";
const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

function password(settings: GenerateSecretString): string {
  const { PasswordLength: length = 32, RequireEachIncludedType: each = true, ExcludeCharacters = "" } = settings;
  const types = [
    settings.ExcludeLowercase ? "" : lowercase,
    settings.ExcludeUppercase ? "" : lowercase.toUpperCase(),
    settings.ExcludeNumbers ? "" : "0123456789",
    settings.ExcludePunctuation ? "" : punctuation,
    settings.IncludeSpace ? " " : "",
  ]
    .map((type) => [...type].filter((character) => !ExcludeCharacters.includes(character)))
    .filter((type) => type.length > 0);
  const all = types.flat();
  if (all.length === 0) throw new Error("A secret of no characters cannot be made up.");
  const pick = (from: readonly string[]): string => from[randomInt(from.length)] as string;
  const required = each ? types.slice(0, length).map(pick) : [];
  const picked = [...required, ...Array.from({ length: length - required.length }, () => pick(all))];
  for (let last = picked.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [picked[last], picked[other]] = [picked[other] as string, picked[last] as string];
  }
  return picked.join("");
}

/** A new value, inside its template if there is one. @throws Error when every character is excluded */
export function generateSecret(settings: GenerateSecretString): string {
  const { SecretStringTemplate: template, GenerateStringKey: key } = settings;
  const generated = password(settings);
  if (template === undefined || key === undefined) return generated;
  return JSON.stringify({ ...(JSON.parse(template) as object), [key]: generated });
}
