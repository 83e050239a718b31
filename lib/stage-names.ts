/** The names that a stage has in AWS. They are also needed without the CDK. */
import type { NewPool, StageName } from "./stages.ts";

/** Name of a stage's stack. */
export const stackName = (stage: StageName): string => `ClubEvents-${stage}`;

/** Beginning of the sign-in page's host name. The account id makes it unique in a region. */
export const signInDomain = ({ domainPrefix }: NewPool, accountId: string): string => `${domainPrefix}-${accountId}`;
