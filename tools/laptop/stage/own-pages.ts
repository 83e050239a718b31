/** The data that the laptop's own pages show of a stage. */
import { createPages, type Pages } from "../pages/index.ts";
import type { HostedPages } from "../pages/static-pages.ts";
import { seedEvents } from "../seed/events.ts";
import type { SeededAccount } from "../service-kit/outputs.ts";
import { deadLettersOf } from "./event-services.ts";
import type { StageServices } from "./services.ts";
import type { StageSetup } from "./setup.ts";

/** @param accounts those of the seed; empty on a stage without seed */
export function pagesOf(
  { template, requests, log, activity }: Pick<StageSetup, "template" | "requests" | "log" | "activity">,
  services: StageServices,
  accounts: readonly SeededAccount[],
  hosted: HostedPages,
): Pages {
  const { identity, engine, tableName, bucket, bus, mailbox, chat, payments, queues } = services;
  const published = seedEvents(new Date()).filter(({ isPublished }) => isPublished);
  return createPages({
    accounts,
    // An admin creates them, so there are none without an admin.
    events: accounts.some(({ role }) => role === "admin") ? published : [],
    addresses: {
      identity: identity.url,
      [`table ${tableName}`]: engine.url,
      images: bucket.url,
      bus: bus.url,
      "mails as JSON": `${mailbox.url}/store`,
      "chat as JSON": `${chat.url}/messages`,
      payments: payments.url,
    },
    paymentsUrl: payments.url,
    requests,
    mails: () => mailbox.list(),
    chat: () => chat.list(),
    payments: () => payments.sessions(),
    errors: () => log.errors,
    deadLetters: () => deadLettersOf(template, queues),
    settled: () => activity.settled(),
    hosted,
    idToken: (email) => identity.idToken(email),
  });
}
