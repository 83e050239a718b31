/** The request to leave SES's sandbox. AWS decides about it, within days. */
import { PutAccountDetailsCommand, type PutAccountDetailsCommandInput } from "@aws-sdk/client-sesv2";
import { isNamed } from "../../kit/failures.ts";
import type { Mend } from "../../kit/finding.ts";
import type { Account } from "../account.ts";
import { changing } from "../asking.ts";

/** What the club says of its mails. */
const useCase =
  "Tickets, sign-up codes and news to members of a student club, about 5,000 a month. Addresses come from sign-up with a " +
  "code. Newsletters have an unsubscribe header; bounces and complaints are suppressed.";

/**
 * Asks for production access. A second request while one is reviewed gets `ConflictException`.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutAccountDetails.html
 */
export function productionAccess({ clients, stage }: Account): Mend {
  const details: PutAccountDetailsCommandInput = {
    MailType: "TRANSACTIONAL",
    WebsiteURL: stage.webAppUrl,
    UseCaseDescription: useCase,
    ContactLanguage: "EN",
    ProductionAccessEnabled: true,
    ...(stage.alarmEmail !== undefined && { AdditionalContactEmailAddresses: [stage.alarmEmail] }),
  };
  return {
    what: `ask SES for production access, for ${stage.webAppUrl}, in these words: "${useCase}"`,
    isRequest: true,
    async apply() {
      try {
        await changing("ses:PutAccountDetails", clients.mail.send(new PutAccountDetailsCommand(details)));
        return "asked SES for production access. AWS answers within days, to the root address and in the Support console.";
      } catch (error) {
        if (isNamed(error, "ConflictException")) return "already requested: production access. AWS decides.";
        throw error;
      }
    },
  };
}
