/**
 * Prints the counts of an invocation as one line in CloudWatch's embedded metric format. Powertools starts another line
 * after 100 values of a metric, the maximum.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import { Metrics } from "@aws-lambda-powertools/metrics";
import { type Count, countsOfInvocation } from "./count.ts";
import { requiredEnv } from "./env.ts";
import { dimension, namespace } from "./metrics.ts";

const printer = new Metrics({ namespace });
// Powertools adds the function name as a dimension, which would create separate metrics per function.
printer.clearDefaultDimensions();
printer.setDefaultDimensions({ [dimension]: requiredEnv("STAGE") });

/** Synchronous, so that the counts of two invocations never mix in the printer. */
function print(counts: readonly Count[]): void {
  for (const { name, value, unit } of counts) printer.addMetric(name, unit, value);
  if (printer.hasStoredMetrics()) printer.publishStoredMetrics();
}

/** A handler whose counts are printed once, when it has returned or failed. Nothing is printed without counts. */
export const counting =
  <Input extends readonly unknown[], Output>(handler: (...input: Input) => Promise<Output>) =>
  (...input: Input): Promise<Output> => {
    const counts: Count[] = [];
    return countsOfInvocation.run(counts, async () => {
      try {
        return await handler(...input);
      } finally {
        print(counts);
      }
    });
  };
