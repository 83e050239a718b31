/** A button that opens a form, says what it will do, and sends it. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Refused } from "../shared/call.ts";
import { differsText, unconfirmed } from "./money/rules.ts";
import { Asking, type AskingProps, type DoneProps } from "./parts.tsx";
import type { SchemaName } from "./schema.ts";
import { Fields, type FormOptions, type Look, type SchemaForm, useSchemaForm } from "./schema-form.tsx";

export interface Answer {
  readonly message?: string;
}

/** With a stored record, only what differs is sent. It is told that it is done with the API's sentence. */
export interface FormActProps
  extends Omit<AskingProps, "act">,
    Pick<FormOptions, "draft" | "stored" | "usual">,
    DoneProps {
  readonly schema: SchemaName;
  readonly look?: Look;
  /** Absent: all fields. */
  readonly names?: readonly string[];
  /** What stands before the fields. */
  before?(form: SchemaForm): ComponentChildren;
  send(body: Readonly<Record<string, unknown>>): Promise<Answer>;
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
      {before?.(shown)}
      <Fields form={shown} {...(names && { names: [...names, "confirm", "waive"] })} />
    </Asking>
  );
}
