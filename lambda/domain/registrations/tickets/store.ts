/** Keys and transaction members of tickets: what a QR code names, and whose registration it is. */
import { randomBytes } from "node:crypto";
import { type Consistency, getItem, type Key, type TransactItem, tableName } from "#kit/table.ts";

/** Whose ticket it is. */
export interface Ticket {
  readonly ticketId: string;
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
}

const daysKept = 400;

const ticketKey = (ticketId: string): Key => ({ PK: `TKT#${ticketId}`, SK: "TKT" });

/** 128 bits that nobody can guess, and that say nothing. */
export const newTicketId = (): string => randomBytes(16).toString("base64url");

/** @param usedUntil epoch milliseconds of the event's start, if known: the ticket is kept for a while after it */
export const putTicket = ({ ticketId, email, eventID, year }: Ticket, usedUntil: number): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: {
      ...ticketKey(ticketId),
      email,
      eventID,
      year,
      ttl: Math.floor(usedUntil / 1_000) + daysKept * 86_400,
    },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

export const dropTicket = (ticketId: string): TransactItem => ({
  Delete: { TableName: tableName, Key: ticketKey(ticketId) },
});

export const readTicket = (ticketId: string, consistency: Consistency) =>
  getItem<Omit<Ticket, "ticketId">>(ticketKey(ticketId), consistency);
