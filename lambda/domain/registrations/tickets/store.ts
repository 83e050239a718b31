/** Keys and transaction members of tickets. A ticket leads from the id in a QR code to a registration. */
import { randomBytes } from "node:crypto";
import { type Consistency, getItem, type Key, type TransactItem, tableName } from "#kit/table.ts";

/** A ticket and the registration that it belongs to. */
export interface Ticket {
  readonly ticketId: string;
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
}

const daysKept = 400;

export const ticketKey = (ticketId: string): Key => ({ PK: `TKT#${ticketId}`, SK: "TKT" });

/** A random id of 128 bits. It cannot be guessed and tells nothing about the person. */
export const newTicketId = (): string => randomBytes(16).toString("base64url");

/** @param usedUntil start of the event if it is known, epoch milliseconds. The ticket is kept for 400 days after it. */
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
