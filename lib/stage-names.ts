/** The names of a stage's resources in AWS, also for use without the CDK. */
import type { NewPool, StageName } from "./stages.ts";

/** Name of a stage's stack. */
export const stackName = (stage: StageName): string => `ClubEvents-${stage}`;

/** Prefix of the sign-in page's host name. The account id makes it unique in a region. */
export const signInDomain = ({ domainPrefix }: NewPool, accountId: string): string => `${domainPrefix}-${accountId}`;
