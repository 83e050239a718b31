/** A record of a list that is opened: its values, and the buttons that change it. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { Focused, type Loaded, Waiting } from "../../shared/parts.tsx";
import { type AsRead, changeAsRead, type Tagged } from "../calls.ts";
import { type Answer, FormAct, type FormActProps } from "../form-act.tsx";
import { Asking, type DoneProps, Values } from "../parts.tsx";

interface RecordProps<T> extends DoneProps, Pick<FormActProps, "schema" | "says" | "draft" | "look"> {
  readonly record: Loaded<Tagged<T>>;
  titleOf(value: T): string;
  valuesOf(value: T): Parameters<typeof Values>[0]["rows"];
  /** Further buttons. */
  readonly children?: ComponentChildren;
  /** What removing it does. */
  readonly removal: string;
  /** Of the record, for PATCH and DELETE. */
  readonly path: string;
  /** Absent: PATCH. @param as what was read: what another executive has changed meanwhile is not overwritten */
  save?(value: T, changes: object, as: AsRead): Promise<Answer>;
  /** The page of the list without it. */
  readonly back: string;
}

/** After another one's change, what is there now is read: then it can be sent again. */
export function OpenRecord<T extends object>(props: RecordProps<T>) {
  const { record, titleOf, valuesOf, children, removal, path, done, back, ...form } = props;
  const { save = (_, changes, as) => changeAsRead<Answer>(as, "PATCH", path, changes), ...edit } = form;
  const { route } = useLocation();
  if (!record.value) return <Waiting of={record} />;
  const { value, tag } = record.value;
  const as = { tag, reload: record.reload };
  const title = titleOf(value);
  const saved = async (said: string) => {
    await record.reload();
    done(said);
  };
  const remove = async () => {
    done((await changeAsRead<Answer>(as, "DELETE", path)).message ?? "Removed.");
    route(back);
  };
  return (
    <section class="group">
      <Focused text={title} />
      <Values rows={valuesOf(value)} />
      {children}
      <div class="buttons">
        <FormAct
          {...{ ...edit, text: "Edit", title: `Edit ${title}`, sure: "Save", stored: value, done: saved }}
          send={(changes) => save(value, changes, as)}
        />
        <Asking {...{ text: "Remove", title: `Remove ${title}?`, sure: "Remove it", says: removal, act: remove }} />
        <a class="button" href={back}>
          Close
        </a>
      </div>
    </section>
  );
}
