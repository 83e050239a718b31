/** The secrets of links, as mails carry them. */
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { NewEmail } from "#domain/people/users/new-email.ts";
import type { Side } from "#domain/people/users/sides.ts";
import { exportLinkLasts, exportLinkSecret } from "#domain/registrations/links/export-link.ts";
import { type LinkPurpose, linkSecret } from "#domain/registrations/links/link.ts";
import { newEmailSecret } from "#domain/registrations/links/new-email-link.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { BareStage } from "./given.ts";

/** The secret of a stage that seals tickets and links. */
async function ticketKeyOf({ outputs }: Pick<BareStage, "outputs">): Promise<string> {
  const { region, secretsUrl: endpoint, ticketKeySecret: SecretId } = outputs;
  const credentials = { accessKeyId: "LOCALTest", secretAccessKey: "local" };
  const client = new SecretsManagerClient({ region, endpoint, credentials });
  const { SecretString = "" } = await client.send(new GetSecretValueCommand({ SecretId }));
  client.destroy();
  return SecretString;
}

/** Seals a link to the registration as it is stored. @param startDate of the event; the link works for sixty days longer */
export async function linkOf(
  stage: BareStage,
  purpose: LinkPurpose,
  { email, eventID, year }: { readonly email: string; readonly eventID: string; readonly year: number },
  startDate = `${year}-05-01T18:00:00Z`,
): Promise<string> {
  const stored = (await stage.stored(`USER#${email}`)).find(({ SK }) => SK === `REG#${eventID}#${year}`);
  const { ticketId } = registrationIn(stored as never);
  return linkSecret(purpose, { ticketId, email, eventID, year }, { startDate }, await ticketKeyOf(stage), 0);
}

/** Stores the request of a guest, who is the email's owner, and seals its link. The event takes guests. */
export async function guestLinkOf(stage: BareStage, form: { email: string; eventID: string; year: number }) {
  const { email, eventID, year } = form;
  const [event] = (await stage.stored(`EVENT#${eventID}#${year}`)).filter(({ SK }) => SK === "META");
  const Item = {
    ...{ PK: `GUEST#${email}`, SK: `${eventID}#${year}`, form: JSON.stringify(form), requestId: "request" },
    ...{ generation: event?.generation, ttl: Math.ceil(Date.now() / 1_000) + 86_400 },
  };
  await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
  const ticket = { ticketId: Item.requestId, email, eventID, year };
  return linkSecret("guest", ticket, { startDate: `${year}-05-01T18:00:00Z` }, await ticketKeyOf(stage), 0);
}

/** Seals a link to what is stored about a person. @param until epoch milliseconds */
export const exportLinkOf = async (stage: BareStage, email: string, until = Date.now() + exportLinkLasts) =>
  exportLinkSecret({ email, until }, await ticketKeyOf(stage));

/** Seals the link by which an address confirms the new email that the person has asked for. */
export async function newEmailLinkOf(stage: BareStage, email: string, side: Side): Promise<string> {
  const stored = (await stage.stored(`USER#${email}`)).find(({ SK }) => SK === "NEW EMAIL");
  const { requestId } = stored as unknown as NewEmail;
  return newEmailSecret({ side, requestId, email }, await ticketKeyOf(stage));
}
