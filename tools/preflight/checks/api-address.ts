/** The custom domain: its certificate must be in the region of the stack. */
import { certificateRegion } from "../../../lib/stage-schema.ts";
import { ok, problem } from "../../kit/finding.ts";
import type { Check } from "../check-kit/account.ts";

export const apiAddress: Check = {
  name: "API address",
  isForDeploy: true,
  look: async ({ region, stage: { domainName, certificateArn } }) => {
    if (domainName === undefined || certificateArn === undefined) return [ok("the one that AWS gives the API.")];
    // A regional domain name requires a certificate of its region.
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-regional-api-custom-domain-create.html
    if (certificateRegion(certificateArn) === region) return [ok(`${domainName}, with a certificate of ${region}.`)];
    return [
      problem(
        `the certificate of ${domainName} is in ${certificateRegion(certificateArn)}, and the stack in ${region}.`,
        `aws acm request-certificate --region ${region} --domain-name ${domainName} --validation-method DNS`,
      ),
    ];
  },
};
