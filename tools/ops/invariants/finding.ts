/** What can be wrong with the records of a stage, and how a rule says it. */
import type { Item, Key } from "#kit/table.ts";
import type { Kind } from "./kinds.ts";

/** One thing that is wrong, as the rule of an item says it. */
export interface Finding {
  readonly kind: Kind;
  /** What differs, for an operator. */
  readonly says: string;
}

/** What a rule may look at besides its item. */
export interface Facts {
  /** An item that the rule has named as related. */
  find(key: Key): Item | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The table was just filled by an import: nothing is there that only people do later. */
  readonly isImported: boolean;
}

/** The rule of one kind of item. */
export interface Rule {
  /** The items that this one is compared with: only PK and SK, at most 90, so that a transaction can demand all. */
  related(item: Item): readonly Key[];
  /** Pure. */
  judge(item: Item, facts: Facts): readonly Finding[];
  /**
   * The attributes by which indexes list the item. They depend on the item alone.
   * @returns undefined for an item that no index lists
   */
  listed?(item: Item): Readonly<Record<string, unknown>> | undefined;
}

export const keyText = ({ PK, SK }: Key): string => `${PK} | ${SK}`;
