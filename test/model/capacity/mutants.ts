/** The protocol with one of its rules taken out. Each must be caught. */
import type { Mutant } from "./protocol.ts";
import type { TableRequest } from "./world.ts";

interface Expression {
  UpdateExpression?: string;
  ConditionExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, unknown>;
  Key?: { PK?: { S?: string } };
  Item?: Record<string, Record<string, unknown>>;
}

/** Every write of a request. */
const writesOf = ({ operation, body }: TableRequest): Expression[] => {
  if (operation === "UpdateItem") return [body as Expression];
  const items = (body.TransactItems ?? []) as Record<string, Expression>[];
  return items.flatMap((item) => Object.values(item));
};

/** Placeholders that nothing uses are an error to DynamoDB. */
function dropUnused(write: Expression): void {
  const text = `${write.UpdateExpression ?? ""} ${write.ConditionExpression ?? ""}`;
  for (const name of ["ExpressionAttributeNames", "ExpressionAttributeValues"] as const) {
    const all = write[name];
    if (!all) continue;
    const used = Object.entries(all).filter(([placeholder]) => new RegExp(`${placeholder}(?![A-Za-z0-9_])`).test(text));
    if (used.length > 0) write[name] = Object.fromEntries(used) as never;
    else delete write[name];
  }
}

const isAbout = (write: Expression, partition: string): boolean =>
  (write.Key?.PK?.S ?? String(write.Item?.PK?.S ?? "")).startsWith(partition);

/** Takes a demand out of the conditions on items of a partition. */
const without =
  (partition: string, demand: RegExp) =>
  (request: TableRequest): void => {
    for (const write of writesOf(request)) {
      if (!write.ConditionExpression || !isAbout(write, partition)) continue;
      const demands = write.ConditionExpression.split(" AND ");
      const left = demands.filter((one) => !demand.test(one));
      if (left.length === demands.length) continue;
      if (left.length > 0) write.ConditionExpression = left.join(" AND ");
      else delete write.ConditionExpression;
      dropUnused(write);
    }
  };

interface Item {
  [attribute: string]: { S?: string; N?: string };
}

/** Every item of an answer, the one inside an error too. */
const itemsOf = (answer: Record<string, unknown>): Item[] => {
  const { Item, Responses, CancellationReasons } = answer as {
    Item?: Item;
    Responses?: Record<string, Item[]>;
    CancellationReasons?: { Item?: Item }[];
  };
  const reasons = (CancellationReasons ?? []).flatMap((reason) => (reason.Item ? [reason.Item] : []));
  return [...(Item ? [Item] : []), ...Object.values(Responses ?? {}).flat(), ...reasons];
};

const seatsIn = (answer: Record<string, unknown>): Item[] =>
  itemsOf(answer).filter((item) => item.PK?.S?.startsWith("SEAT#"));

const nobody = async (): Promise<string[]> => [];

/** A mutant, the situations in which it shows, and what it breaks. */
export interface NamedMutant extends Mutant {
  readonly name: string;
  readonly breaks: readonly string[];
  /** Words of the situations' names to try; all when absent. */
  readonly where?: readonly string[];
}

export const mutants: readonly NamedMutant[] = [
  {
    name: "no gate",
    breaks: ["JUMP"],
    where: ["leave", "leaves"],
    mutate: without("SEAT#", /gate = :open/),
    disguise: (_request, answer) => {
      for (const seats of seatsIn(answer)) {
        if (Number(seats.seats?.N) < Number(seats.cap?.N)) seats.gate = { S: "O" };
      }
    },
  },
  {
    name: "no post-check after joining",
    breaks: ["LOST_SEAT"],
    where: ["while others come", "capacity from 1"],
    admitSteps: { promote: nobody },
  },
  {
    name: "no post-check after releasing",
    breaks: ["LOST_SEAT"],
    where: ["while others come", "two leave", "one leaves"],
    leaveSteps: { promote: nobody },
  },
  {
    name: "a swap without its guard",
    breaks: ["SEAT_ABOVE_CAPACITY"],
    where: ["capacity from 2"],
    mutate: without("SEAT#", /^seats <= cap$/),
  },
  {
    name: "seats without a limit",
    breaks: ["OVERSELL"],
    where: ["three come"],
    mutate: without("SEAT#", /^seats (<|<=) (cap|:room)$/),
  },
  {
    name: "moves that do not ask whether the event is open",
    breaks: ["SEAT_IN_CLOSED_EVENT", "SEAT_IN_DELETED_EVENT"],
    where: ["completing", "deleting"],
    mutate: without("SEAT#", /#state = :OPEN/),
  },
  {
    name: "choices without a limit",
    breaks: ["CHOICE_OVERSELL"],
    where: ["workshops"],
    mutate: without("SEAT#", /choiceCaps/),
  },
  {
    name: "one's own seat is taken for a duplicate",
    breaks: ["ANSWERED_DUPLICATE_BUT_THERE"],
    where: ["lost"],
    disguise: (_request, answer) => {
      for (const item of itemsOf(answer))
        if (item.waitKey && item.PK?.S?.startsWith("USER#")) item.waitKey = { S: "0#x" };
    },
  },
];
