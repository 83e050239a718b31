/** What functions use of a stage, by the names in their declarations (`lambda/kit/function.ts`). */
import type { Construct } from "constructs";
import type { FunctionDeclaration } from "#kit/function.ts";
import type { FunctionName } from "./entries.ts";
import type { ClubFunction, ClubFunctionProps, Usable } from "./function.ts";
import { ImageBucket } from "./image-bucket.ts";
import { MailSender } from "./mail-sender.ts";
import { settingsOf } from "./settings.ts";
import type { StageConfig } from "./stages.ts";
import { StoredSecret } from "./stored-secret.ts";
import { ClubTable, type KnownTableAction } from "./table.ts";
import { TicketKey } from "./ticket-key.ts";

export type Resources = ReturnType<typeof addResources>;

/** A declaration all of whose names are known here. */
export interface Declared extends FunctionDeclaration {
  readonly settings?: readonly (keyof Resources["settings"])[];
  readonly table?: readonly KnownTableAction[];
  readonly secrets?: readonly (keyof Resources["secrets"])[];
}

/**
 * Creates the resources, each under its own name in the scope.
 * @param pagesUrl base address of the hosted pages, without a slash at its end; absent: they are elsewhere
 */
export function addResources(scope: Construct, stage: StageConfig, pagesUrl?: string) {
  const stored = (id: string, variable: string, secretName: string | undefined): Usable<"read"> | undefined =>
    secretName === undefined ? undefined : new StoredSecret(scope, id, { variable, secretName });
  return {
    stage,
    settings: settingsOf(stage, pagesUrl),
    pagesUrl,
    mailSender: new MailSender(scope, "MailSender", { stage }),
    table: new ClubTable(scope, "Table", { stage }),
    images: new ImageBucket(scope, "Images", { stage }),
    secrets: {
      ticketKey: new TicketKey(scope, "TicketKey", { stage }),
      payments: stored("PaymentsSecret", "PAYMENTS_SECRET", stage.paymentsSecret),
      // The URL is all that a post to the chat needs, so it is a secret.
      chatWebhook: stored("ChatWebhook", "CHAT_WEBHOOK_SECRET", stage.chatWebhookSecret),
    },
  };
}

/** The name of a function in the stack: `Mail`, `ForgetUser`. */
export const idOf = (name: string, { id }: FunctionDeclaration): string =>
  id ?? name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What a declaration says of a function, with the values of its settings. */
export function propsOf(bundle: FunctionName, declared: Declared, { stage, settings }: Resources): ClubFunctionProps {
  const { description, memory, timeout, settings: names = [] } = declared;
  const values = names.map((name) => [name, settings[name]]).filter(([, value]) => value !== undefined);
  return { stage, bundle, description, memory, timeout, environment: Object.fromEntries(values) };
}

/** Whether the stage has all secrets that the function reads. */
export const hasSecrets = ({ secrets }: Resources, { secrets: names = [] }: Declared): boolean =>
  names.every((name) => secrets[name] !== undefined);

/** Lets a function use what its declaration names, and nothing else. */
export function letUse<One extends ClubFunction>(one: One, declared: Declared, resources: Resources): One {
  if (declared.images) one.uses(resources.images, declared.images);
  if (declared.table) one.uses(resources.table, declared.table);
  for (const name of declared.secrets ?? []) {
    const secret = resources.secrets[name];
    if (secret) one.uses(secret, ["read"]);
  }
  if (declared.sendsMail) one.uses(resources.mailSender, ["SendRawEmail"]);
  return one;
}
