/** Rules as CloudFormation describes them, and the targets of an event. */
import { checkPattern, matchesPattern } from "../patterns/event-pattern.ts";
import type { BusEvent } from "./event.ts";
import type { RuleStates } from "./rule-states.ts";

/** A target gets the whole event: what would change it is refused. */
export interface RuleTarget {
  readonly Id: string;
  readonly Arn: string;
  readonly DeadLetterConfig?: { readonly Arn?: string };
  readonly RetryPolicy?: { readonly MaximumRetryAttempts?: number; readonly MaximumEventAgeInSeconds?: number };
  readonly Input?: string;
  readonly InputPath?: string;
  readonly InputTransformer?: object;
}

/** `AWS::Events::Rule`. Rules with a schedule belong to the schedules. */
export interface RuleProperties {
  /** Name or ARN; `default` when absent. */
  readonly EventBusName?: string;
  readonly EventPattern?: Readonly<Record<string, unknown>>;
  readonly State?: string;
  readonly Targets?: readonly RuleTarget[];
}

export interface RuleDefinition {
  readonly name: string;
  readonly arn: string;
  readonly properties: RuleProperties;
}

/** A rule's target for an event. */
export interface Addressee {
  readonly rule: RuleDefinition;
  readonly target: RuleTarget;
}

/** The name of a target; a restart does not change it as long as rule and target are in the template. */
export const addressOf = ({ rule, target }: Addressee): string => `${rule.name}/${target.Id}`;

const busOf = ({ properties }: RuleDefinition): string => properties.EventBusName?.split("/").at(-1) || "default";

const targetsOf = (rule: RuleDefinition): Addressee[] =>
  (rule.properties.Targets ?? []).map((target) => ({ rule, target }));

/** All targets of a template, by the events that they get. */
export class Rules {
  readonly #rules: readonly RuleDefinition[];
  readonly #states: RuleStates;

  /** @throws Error for properties that the local stage does not support */
  constructor(rules: readonly RuleDefinition[], states: RuleStates) {
    this.#states = states;
    this.#rules = rules.filter(({ properties }) => properties.EventPattern);
    for (const { properties } of this.#rules) checkPattern(properties.EventPattern ?? {});
    const changing = this.#rules
      .flatMap(targetsOf)
      .find(({ target }) => target.Input ?? target.InputPath ?? target.InputTransformer);
    if (changing) throw new Error(`${changing.rule.name}: the local stage delivers whole events only.`);
  }

  addresseesOf(busName: string, event: BusEvent): Addressee[] {
    return this.#rules
      .filter(
        (rule) =>
          this.#states.isOn(rule.name) &&
          busOf(rule) === busName &&
          matchesPattern(rule.properties.EventPattern ?? {}, event),
      )
      .flatMap(targetsOf);
  }

  /** Undefined when the template does not contain the target any more. */
  addressee(address: string): Addressee | undefined {
    return this.#rules.flatMap(targetsOf).find((one) => addressOf(one) === address);
  }
}
