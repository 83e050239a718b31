import { expect, test } from "@jest/globals";
import { readPoolSettings } from "../identity/pool-settings.ts";

const everyKind = {
  minimumLength: 8,
  requireLowercase: true,
  requireUppercase: true,
  requireNumbers: true,
  requireSymbols: true,
};

test("everything that the template declares is read", () => {
  const settings = readPoolSettings(
    {
      Policies: { PasswordPolicy: { MinimumLength: 10, RequireNumbers: true, RequireSymbols: false } },
      UsernameConfiguration: { CaseSensitive: false },
      VerificationMessageTemplate: { DefaultEmailOption: "CONFIRM_WITH_LINK" },
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ["email"] },
      Schema: [{ Name: "email", Required: true }, { Name: "student" }],
    },
    {
      PreventUserExistenceErrors: "ENABLED",
      ExplicitAuthFlows: ["ALLOW_USER_SRP_AUTH"],
      IdTokenValidity: 60,
      AccessTokenValidity: 1,
      RefreshTokenValidity: 10_080,
      TokenValidityUnits: { IdToken: "minutes", AccessToken: "hours", RefreshToken: "minutes" },
    },
  );
  expect(settings).toEqual({
    passwordPolicy: {
      minimumLength: 10,
      requireLowercase: false,
      requireUppercase: false,
      requireNumbers: true,
      requireSymbols: false,
    },
    tokenValidity: { id: 3600, access: 3600, refresh: 7 * 86_400 },
    verifyBeforeUpdate: ["email"],
    customAttributes: ["custom:student"],
    hideUserExistence: true,
    caseSensitive: false,
    confirmByLink: true,
    softwareTokenMfa: false,
    authFlows: ["ALLOW_USER_SRP_AUTH"],
  });
});

test("missing settings get Cognito's defaults, which protect less", () => {
  expect(readPoolSettings({}, {})).toEqual({
    passwordPolicy: everyKind,
    tokenValidity: { id: 3600, access: 3600, refresh: 30 * 86_400 },
    verifyBeforeUpdate: [],
    customAttributes: [],
    hideUserExistence: false,
    caseSensitive: true,
    confirmByLink: false,
    softwareTokenMfa: false,
  });
});
