/** The SES identity of a stage's mail domain, with its DNS records where Route 53 has the zone. */
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { CnameRecord, type IHostedZone, MxRecord, PublicHostedZone, TxtRecord } from "aws-cdk-lib/aws-route53";
import { EmailIdentity, Identity, MailFromBehaviorOnMxFailure } from "aws-cdk-lib/aws-ses";
import type { Construct } from "constructs";
import type { DeliveryConfig, StageConfig } from "../stages.ts";

export interface MailProps extends StackProps {
  readonly stage: StageConfig;
  readonly hostedZone?: DeliveryConfig["hostedZone"];
}

/** A DNS record. `name` and `value` have no final dot. */
interface DnsRecord {
  readonly id: string;
  readonly type: "CNAME" | "MX" | "TXT";
  readonly name: string;
  readonly value: string;
}

const dmarcOf = (reports: string) => `v=DMARC1; p=none; rua=mailto:${reports}`;

export class MailStack extends Stack {
  constructor(scope: Construct, id: string, { stage, hostedZone, ...props }: MailProps) {
    // Without its identity a stage sends no mail, and Cognito refuses the user pool.
    const description = `Club events: the domain of the mails, ${stage.name}`;
    super(scope, id, { description, terminationProtection: true, ...props });
    const domain = stage.mailSender.split("@")[1] ?? "";
    const isInZone = hostedZone !== undefined && `.${domain}`.endsWith(`.${hostedZone.name}`);
    const zone = isInZone
      ? PublicHostedZone.fromHostedZoneAttributes(this, "Zone", {
          hostedZoneId: hostedZone.id,
          zoneName: hostedZone.name,
        })
      : undefined;
    for (const record of this.addIdentity(domain)) this.addRecord(domain, record, zone);
    if (zone && hostedZone?.dmarcReports) {
      const value = dmarcOf(hostedZone.dmarcReports);
      this.addRecord(domain, { id: "Dmarc", type: "TXT", name: `_dmarc.${domain}`, value }, zone);
    }
  }

  /**
   * The identity, signed with DKIM, with a MAIL FROM domain of its own.
   * https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
   * @returns the records that SES looks for
   */
  private addIdentity(domain: string): DnsRecord[] {
    const mailFrom = `bounce.${domain}`;
    const identity = new EmailIdentity(this, domain, {
      identity: Identity.domain(domain),
      mailFromDomain: mailFrom,
      mailFromBehaviorOnMxFailure: MailFromBehaviorOnMxFailure.USE_DEFAULT_VALUE,
    });
    return [
      ...identity.dkimRecords.map(({ name, value }, index) => ({
        id: `Dkim${index + 1}`,
        type: "CNAME" as const,
        name,
        value,
      })),
      { id: "MailFrom", type: "MX", name: mailFrom, value: `10 feedback-smtp.${this.region}.amazonses.com` },
      { id: "Spf", type: "TXT", name: mailFrom, value: "v=spf1 include:amazonses.com ~all" },
    ];
  }

  /** Writes the record into the zone, or names it in an output for an operator to enter. */
  private addRecord(domain: string, { id, type, name, value }: DnsRecord, zone: IHostedZone | undefined): void {
    const construct = `${domain}-${id}`;
    if (!zone) {
      // The id of an output has letters and digits only.
      const output = construct.replaceAll(/[^A-Za-z0-9]/g, "");
      new CfnOutput(this, output, { value: `${name} ${type} ${value}` });
    } else if (type === "CNAME") {
      new CnameRecord(this, construct, { zone, recordName: `${name}.`, domainName: value });
    } else if (type === "MX") {
      const [priority = "", hostName = ""] = value.split(" ");
      new MxRecord(this, construct, {
        zone,
        recordName: `${name}.`,
        values: [{ priority: Number(priority), hostName }],
      });
    } else {
      new TxtRecord(this, construct, { zone, recordName: `${name}.`, values: [value] });
    }
  }
}
