/** A button that opens a form, says what it will do, and sends it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Refused } from "../../shared/call.ts";
import { Frame } from "../../shared/field.tsx";
import { useLoaded } from "../../shared/parts.tsx";
import { type EventKey, eventPath } from "../addresses.ts";
import { readAll } from "../calls.ts";
import type { DeskEvent } from "../event-frame.tsx";
import { Asking } from "../parts.tsx";
import type { Entries, SchemaName } from "../schema.ts";
import { Fields, type Look, type SchemaForm, useSchemaForm } from "../schema-form.tsx";
import { differsText, unconfirmed } from "./rules.ts";

export interface Answer {
  readonly message?: string;
}

export interface FormActProps {
  /** The button that opens the form. */
  readonly text: string;
  readonly title: string;
  /** What will happen. */
  readonly says: ComponentChildren;
  /** The button that sends it. */
  readonly sure: string;
  readonly isMain?: boolean;
  readonly schema: SchemaName;
  readonly draft: string;
  /** The record that is changed: then only what differs is sent. */
  readonly stored?: object | undefined;
  readonly usual?: Entries;
  readonly look?: Look;
  /** Absent: all fields. */
  readonly names?: readonly string[];
  /** What stands before the fields. */
  before?(form: SchemaForm): ComponentChildren;
  send(body: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** It is done: shows what is there now. @param message the API's */
  done(message: string): unknown;
}

/** Asks for consent when an amount is not the price: it counts for exactly that body. */
export function FormAct({
  schema,
  draft,
  stored,
  usual = {},
  look = {},
  names,
  before,
  send,
  done,
  ...asking
}: FormActProps) {
  const form = useSchemaForm(schema, { draft, stored, usual, ...look });
  const [refused, setRefused] = useState("");
  const body = stored ? form.changes() : form.body();
  const plain = unconfirmed(body);
  const isAsked = refused === JSON.stringify(plain);
  const hidden = [...(look.hidden ?? []), ...(isAsked ? [] : ["confirm", "waive"])];
  const shown: SchemaForm = { ...form, look: { ...look, hidden } };
  const act = async () => {
    const said = await send(isAsked ? body : plain).catch((problem: unknown) => {
      if (!(problem instanceof Refused) || problem.code !== "AMOUNT_DIFFERS") return form.complain(problem);
      setRefused(JSON.stringify(plain));
      throw new Refused(problem.status, { message: differsText(problem.message), code: problem.code });
    });
    form.clear();
    setRefused("");
    void done(said.message ?? "Done.");
  };
  return (
    <Asking {...asking} act={act}>
      <p>{asking.says}</p>
      {before?.(shown)}
      <Fields form={shown} {...(names && { names: [...names, "confirm", "waive"] })} />
    </Asking>
  );
}

const keyText = ({ id, year }: EventKey): string => eventPath({ id, year });

interface EventSelectProps {
  readonly id: string;
  readonly none: string;
  /** A choice that is no event. */
  readonly other?: string;
  /** An event, or the other choice. */
  readonly chosen: EventKey | string | undefined;
  choose(event: EventKey | undefined, other?: string): void;
}

/** The choice of an event, newest first. */
export function EventSelect({ id, none, other, chosen, choose }: EventSelectProps) {
  const { value: events = [] } = useLoaded(
    () => readAll<DeskEvent, readonly DeskEvent[]>("/events", {}, (answer) => answer),
    [],
  );
  return (
    <Frame id={id} label={other ? "For" : "Event"} required>
      <select
        id={id}
        value={typeof chosen === "object" ? keyText(chosen) : chosen}
        onChange={({ currentTarget: { value } }) =>
          choose(
            events.find((event) => keyText(event) === value),
            value,
          )
        }
      >
        <option value="">{none}</option>
        {other && <option value={other}>{other}</option>}
        {events.map((event) => (
          <option key={keyText(event)} value={keyText(event)}>
            {event.ename} ({event.year})
          </option>
        ))}
      </select>
    </Frame>
  );
}
