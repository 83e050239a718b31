/** Which rules are on: as the template says, until DisableRule or EnableRule changes it. A stop forgets the change. */
import { type Fields, ServiceProblem } from "../service-kit/json-service.ts";

interface Rule {
  readonly name: string;
  readonly properties: { readonly State?: string };
}

export class RuleStates {
  readonly #areOn: Map<string, boolean>;

  constructor(rules: readonly Rule[]) {
    this.#areOn = new Map(rules.map(({ name, properties }) => [name, properties.State !== "DISABLED"]));
  }

  /** Whether the rule is enabled. False for a rule that there is not. */
  isOn(name: string): boolean {
    return this.#areOn.get(name) === true;
  }

  /**
   * The operations that read and change them.
   * @throws ServiceProblem ResourceNotFoundException
   */
  readonly operations = {
    DescribeRule: (fields: Fields) => {
      const Name = this.#named(fields);
      return { Name, State: this.isOn(Name) ? "ENABLED" : "DISABLED" };
    },
    DisableRule: (fields: Fields) => this.#set(fields, false),
    EnableRule: (fields: Fields) => this.#set(fields, true),
  };

  #set(fields: Fields, isOn: boolean): object {
    this.#areOn.set(this.#named(fields), isOn);
    return {};
  }

  #named({ Name, EventBusName = "default" }: Fields): string {
    if (typeof Name === "string" && this.#areOn.has(Name)) return Name;
    throw new ServiceProblem(
      "ResourceNotFoundException",
      `Rule ${String(Name)} does not exist on EventBus ${String(EventBusName)}.`,
    );
  }
}
