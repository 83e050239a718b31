/** The kinds of damage of a stage's records, and how rules report them. */
import type { Item, Key } from "#kit/table/table.ts";
import type { Kind } from "./kinds.ts";

/** A problem that the rule of an item reports. */
export interface Finding {
  readonly kind: Kind;
  /** The details, for an operator. */
  readonly says: string;
}

/** What a rule may use in addition to its item. */
export interface Facts {
  /** Finds a related item. */
  find(key: Key): Item | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The rule of one kind of item. */
export interface Rule {
  /** The keys of the items that this one is compared with, at most 90, so that a transaction can check all. */
  related(item: Item): readonly Key[];
  /** Pure. */
  judge(item: Item, facts: Facts): readonly Finding[];
  /**
   * The attributes by which indexes list the item. They depend only on the item.
   * @returns undefined for an item that no index lists
   */
  listed?(item: Item): Readonly<Record<string, unknown>> | undefined;
}

export const keyText = ({ PK, SK }: Key): string => `${PK} | ${SK}`;
