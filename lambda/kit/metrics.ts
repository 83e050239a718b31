/** The namespace and dimension in CloudWatch of the metrics that functions print (`counting.ts`). */

export const namespace = "ClubEvents";

/**
 * The only dimension; its value is the name of the stage. Each other combination of dimensions would be another metric, for
 * 0.30 USD a month.
 * https://aws.amazon.com/cloudwatch/pricing/
 */
export const dimension = "stage";
