/** The consumers of the bus, made of the declarations in `lambda/consumers/functions.ts`. */
import type { Construct } from "constructs";
import type { ConsumerDeclaration } from "#outbox/subscriptions.ts";
import { Consumer } from "./consumer.ts";
import type { FunctionName } from "./entries.ts";
import type { ClubEventBus } from "./event-bus.ts";
import { type Declared, hasSecrets, idOf, letUse, propsOf, type Resources } from "./resources.ts";

/** Declarations, each with the name of its function. */
export type Consumers = readonly (readonly [name: string, declared: ConsumerDeclaration & Declared])[];

/** Creates each consumer whose secrets the stage has, under its own name in the scope. */
export function addConsumers(
  scope: Construct,
  resources: Resources,
  { bus }: ClubEventBus,
  declarations: Consumers,
): void {
  for (const [name, declared] of declarations) {
    if (!hasSecrets(resources, declared)) continue;
    const { timeout = 30, subscribesTo, batchSize, retriesLater, alarm } = declared;
    const one = new Consumer(scope, idOf(name, declared), {
      ...propsOf(name as FunctionName, { memory: 512, ...declared }, resources),
      ...{ timeout, bus, subscribesTo, batchSize, retriesLater, alarm },
      configurationSet: resources.mailSender.configurationSet,
    });
    letUse(one, declared, resources);
  }
}
