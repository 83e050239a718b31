/**
 * The page behind the link in a mail, which confirms the account. Cognito has it on the host of the pool's
 * sign-in page.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-email-verification-message-customization.html
 */
import { createHash } from "node:crypto";
import { html } from "#kit/text/html.ts";
import type { HttpReply } from "../service-kit/http-service.ts";
import { ServiceProblem } from "../service-kit/json-service.ts";
import { confirmSignUp } from "./operations/sign-up.ts";
import type { Pool } from "./pool/pool.ts";

/** Without the trailing slash that it may have. */
export const confirmPath = "/confirmUser";

/** The URL with which a user confirms the account. @param url of the service, without a trailing slash */
export function confirmationLink(
  url: string,
  { clientId, username, code }: { readonly clientId: string; readonly username: string; readonly code: string },
): string {
  return `${url}${confirmPath}/?${new URLSearchParams({ client_id: clientId, user_name: username, confirmation_code: code })}`;
}

/** As plain as the page. It has no character that HTML escapes, or the browser would find another hash. */
const style = `
:root { color-scheme: light dark; }
body { max-width: 32rem; margin: 0 auto; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.2; }
`;

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy":
    `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const pageOf = (status: number, title: string, sentence: string): HttpReply => ({
  status,
  headers,
  body: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1><p>${sentence}</p></body>
</html>
`.source,
});

/**
 * Confirms the account that the query of the link names. The page shows the pool's own error message, which for a used link is
 * that the account is confirmed (https://github.com/aws-amplify/amplify-js/issues/3595), and what it means. It has no link: people go
 * back to the web application by themselves (https://github.com/aws-amplify/amplify-js/issues/612).
 */
export async function confirmPage(pool: Pool, query: string): Promise<HttpReply> {
  const fields = new URLSearchParams(query);
  const [ClientId, Username, ConfirmationCode] = ["client_id", "user_name", "confirmation_code"].map(
    (name) => fields.get(name) ?? "",
  );
  if (!ClientId || !Username || !ConfirmationCode) {
    return refused("The link is not complete. Open it from the mail, or copy all of it.");
  }
  try {
    await confirmSignUp(pool, { ClientId, Username, ConfirmationCode });
  } catch (problem) {
    if (problem instanceof ServiceProblem) return refused(inWords(problem.message));
    throw problem;
  }
  return pageOf(200, "Confirmed", "Your registration has been confirmed. Go back to the application and sign in.");
}

/** A person who opens a link twice can sign in, which the pool's words do not say. */
const inWords = (message: string): string =>
  message.endsWith("CONFIRMED")
    ? `Your account is confirmed already: go back to the application and sign in. Cognito's own page says: ${message}`
    : message;

const refused = (sentence: string): HttpReply => pageOf(400, "Not confirmed", sentence);
