import { expect, test } from "@jest/globals";
import { readPoolSettings } from "../identity/pool/pool-settings.ts";

const passwordPolicy = { MinimumLength: 10, RequireNumbers: true, RequireSymbols: false };
const userPool = {
  Policies: { PasswordPolicy: passwordPolicy },
  UsernameConfiguration: { CaseSensitive: false },
  VerificationMessageTemplate: { DefaultEmailOption: "CONFIRM_WITH_LINK" },
  UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ["email"] },
  MfaConfiguration: "OPTIONAL",
  EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
  Schema: [{ Name: "email", Required: true }],
};
const client = {
  PreventUserExistenceErrors: "ENABLED",
  ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH"],
  IdTokenValidity: 60,
  AccessTokenValidity: 30,
  RefreshTokenValidity: 10_080,
  TokenValidityUnits: { IdToken: "minutes", AccessToken: "minutes", RefreshToken: "minutes" },
};

test.each([
  [{ UsernameConfiguration: { CaseSensitive: true } }, {}],
  [{ UserAttributeUpdateSettings: undefined }, {}],
  [{ Schema: [{ Name: "student" }] }, {}],
  [{ MfaConfiguration: "ON" }, {}],
  [{ EnabledMfas: ["SMS_MFA", "SOFTWARE_TOKEN_MFA"] }, {}],
  [{ Policies: undefined }, {}],
  [{}, { PreventUserExistenceErrors: "LEGACY" }],
  [{}, { TokenValidityUnits: undefined }],
])("a pool with %j, or a client with %j, does not start", (ofPool, ofClient) => {
  expect(() => readPoolSettings({ ...userPool, ...ofPool }, { ...client, ...ofClient })).toThrow("the local user pool");
});
