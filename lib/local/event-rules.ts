/** The template's rules on the default event bus, which AWS's own services send to, and the functions they call. */
import { setTimeout as pause } from "node:timers/promises";
import { matchesPattern } from "./event-pattern.ts";
import type { Template } from "./template.ts";

/** An event as it is on the bus. */
export interface BusEvent {
  readonly source: string;
  readonly "detail-type": string;
  readonly detail: object;
}

export interface EventRules {
  /** Calls the functions of every rule that matches, without waiting for them. */
  send(event: BusEvent): void;
  /** Resolves when no function is being called any more. */
  settled(): Promise<void>;
}

export interface EventRulesOptions {
  readonly template: Template;
  readonly functions: {
    invoke(logicalId: string, event: unknown): Promise<unknown>;
    idOf(arn: string): string | undefined;
  };
  /** Milliseconds before the first repetition; doubled for each further one. Lambda waits a minute. */
  readonly retryDelay?: number;
}

/** Lambda's, for events that nobody waits for. */
const retriesByDefault = 2;

/** @throws Error when a rule has a target that is no function */
export function createEventRules({ template, functions, retryDelay = 500 }: EventRulesOptions): EventRules {
  const rules = template
    .resourcesOf("AWS::Events::Rule")
    .filter((rule) => rule.get("State") !== "DISABLED" && (rule.get("EventBusName") ?? "default") === "default")
    .flatMap((rule) => {
      const pattern = rule.get("EventPattern");
      if (!pattern) return [];
      const targets = (rule.get("Targets") ?? []).map(({ Arn, RetryPolicy }) => {
        const functionId = functions.idOf(Arn);
        if (!functionId) throw new Error(`${rule.logicalId}: the local stage only calls functions, not ${Arn}.`);
        return { functionId, retries: RetryPolicy?.MaximumRetryAttempts ?? retriesByDefault };
      });
      return [{ pattern, targets }];
    });
  const underWay = new Set<Promise<void>>();

  const call = async (functionId: string, event: object, retries: number): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await functions.invoke(functionId, event);
        return;
      } catch (problem) {
        if (attempt >= Math.min(retries, retriesByDefault)) {
          console.error(`${functionId} failed at an event ${attempt + 1} times: ${(problem as Error).message}`);
          return;
        }
        await pause(retryDelay * 2 ** attempt);
      }
    }
  };
  return {
    send(event) {
      for (const { pattern, targets } of rules) {
        if (!matchesPattern(pattern, event)) continue;
        for (const { functionId, retries } of targets) {
          const done = call(functionId, event, retries).finally(() => underWay.delete(done));
          underWay.add(done);
        }
      }
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
