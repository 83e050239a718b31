/** Where the metrics of the lines stand in CloudWatch that functions print (`counting.ts`). */

export const namespace = "ClubEvents";

/**
 * The only dimension; its value is the name of the stage. Each further combination of dimensions would be another
 * metric, and each metric costs 0.30 USD a month.
 * https://aws.amazon.com/cloudwatch/pricing/
 */
export const dimension = "stage";
