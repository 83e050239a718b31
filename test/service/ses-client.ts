/** Hands a mail to the SES of a stage, as its functions do, but with other values. */
import { SESClient, SendRawEmailCommand } from "@aws-sdk/client-ses";
import type { BareStage } from "./given.ts";

const from = "events@club.example";

/** @param configurationSet absent: the mail is sent under none */
export async function handToSes(
  stage: BareStage,
  { to, configurationSet }: { readonly to: string; readonly configurationSet?: string | undefined },
): Promise<void> {
  const client = new SESClient({
    region: stage.outputs.region,
    endpoint: stage.endpoint("SES"),
    credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
    maxAttempts: 1,
  });
  const Data = Buffer.from(`From: ${from}\r\nTo: ${to}\r\nSubject: Hi\r\n\r\nHi`);
  try {
    await client.send(
      new SendRawEmailCommand({
        Source: from,
        Destinations: [to],
        RawMessage: { Data },
        ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
      }),
    );
  } finally {
    client.destroy();
  }
}

/** The configuration set that the functions of a stage send under. */
export const configurationSetOf = (stage: BareStage): string | undefined =>
  stage.environmentOf("Campaigns").MAIL_CONFIGURATION_SET;
