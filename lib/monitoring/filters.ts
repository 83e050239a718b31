/**
 * Lines that are counted as metrics, in the patterns of CloudWatch Logs.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForMetricFilters.html
 */
export const filters = {
  /** A line of the access log: the gateway refused a request. HTTP APIs count these with all other 4xx. */
  Throttled: '{ $.status = "429" }',
  /** A line of the function that decides sign-ups: the user pool did not answer it. */
  SignUpsUndecided: '{ $.message = "sign-up not decided" }',
} as const;

export type FilteredMetric = keyof typeof filters;
