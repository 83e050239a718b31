/**
 * Prints the counts of an invocation as one line in CloudWatch's embedded metric format. A line has at most 100 values
 * of a metric; Powertools begins another line before.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
import { Metrics } from "@aws-lambda-powertools/metrics";
import { type Count, countsOfInvocation } from "./count.ts";
import { requiredEnv } from "./env.ts";
import { dimension, namespace } from "./metrics.ts";

const printer = new Metrics({ namespace });
// Powertools adds the name of the function as a dimension, and each function would have metrics of its own.
printer.clearDefaultDimensions();
printer.setDefaultDimensions({ [dimension]: requiredEnv("STAGE") });

/** Runs in one go, so that the counts of two invocations never meet in the printer. */
function print(counts: readonly Count[]): void {
  for (const { name, value, unit } of counts) printer.addMetric(name, unit, value);
  if (printer.hasStoredMetrics()) printer.publishStoredMetrics();
}

/** A handler whose counts are printed once, when it has answered or failed. Nothing is printed when nothing counted. */
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
