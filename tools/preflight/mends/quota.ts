/** Requests for a higher quota. AWS decides about them, within minutes or days. */
import { RequestServiceQuotaIncreaseCommand } from "@aws-sdk/client-service-quotas";
import { isNamed } from "../../kit/failures.ts";
import type { Mend } from "../../kit/finding.ts";
import type { Account } from "../account.ts";
import { changing } from "../asking.ts";

/** A quota of one account and region in Service Quotas. */
interface Quota {
  readonly service: "lambda" | "ses";
  readonly code: string;
  /** What it counts. */
  readonly of: string;
}

/** `aws service-quotas list-service-quotas --service-code lambda` names the codes. */
export const concurrency: Quota = { service: "lambda", code: "L-B99A9384", of: "concurrent executions" };

/** The codes: https://docs.aws.amazon.com/talent/latest/adminguide/endpoints-quotas.html */
export const mailsASecond: Quota = { service: "ses", code: "L-CDEF9B6B", of: "mails a second" };
export const mailsADay: Quota = { service: "ses", code: "L-804C8AE8", of: "mails in 24 hours" };

/**
 * Asks for more. A second request while one is pending gets `ResourceAlreadyExistsException`.
 * https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_RequestServiceQuotaIncrease.html
 */
export function more({ clients }: Account, { service, code, of }: Quota, value: number): Mend {
  const wanted = `${value} ${of} (${code})`;
  return {
    what: `ask Service Quotas for ${wanted}.`,
    isRequest: true,
    async apply() {
      const request = new RequestServiceQuotaIncreaseCommand({
        ServiceCode: service,
        QuotaCode: code,
        DesiredValue: value,
      });
      try {
        await changing("servicequotas:RequestServiceQuotaIncrease", clients.quotas.send(request));
        return `asked Service Quotas for ${wanted}. AWS decides.`;
      } catch (error) {
        if (isNamed(error, "ResourceAlreadyExistsException")) return `already requested: ${of} (${code}). AWS decides.`;
        throw error;
      }
    },
  };
}
