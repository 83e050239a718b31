/** Renders a letter as plain text, for mail programs without HTML. Pure. */
import type { Letter } from "./letter.ts";

export function mailText({ greeting, status, paragraphs, about, action, also, ticket, signature }: Letter): string {
  const facts = about.facts.filter(({ text }) => text).map(({ label, text }) => `${label}: ${text}`);
  const parts = [
    greeting,
    status.toUpperCase(),
    ...paragraphs,
    [about.title, ...facts].join("\n"),
    `${action.label}:\n${action.url}`,
    also && `${also.label}:\n${also.url}`,
    ticket && `Your ticket: ${ticket.code}\n${ticket.text}`,
    signature,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}
