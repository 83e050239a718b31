/** A record of a list that is opened: its values, and the buttons that change it. */
import type { ComponentChildren } from "preact";
import { Refused } from "../../shared/call.ts";
import { Focused, type Loaded, Waiting } from "../../shared/parts.tsx";
import type { Tagged } from "../calls.ts";
import { type Answer, FormAct, type FormActProps } from "../money/form-act.tsx";
import { Asking } from "../parts.tsx";

interface RecordProps<T> {
  readonly record: Loaded<Tagged<T>>;
  titleOf(value: T): string;
  /** What it shows, and further buttons. */
  children(value: T): ComponentChildren;
  readonly edit: Pick<FormActProps, "schema" | "says" | "draft" | "look"> & { storedOf(value: T): object };
  /** What removing it does. */
  readonly removal: string;
  /** @param tag of what was read: what another executive has changed meanwhile is not overwritten */
  save(value: T, changes: object, tag: string | undefined): Promise<Answer>;
  remove(value: T, tag: string | undefined): Promise<Answer>;
  /** It was changed. */
  changed(said: string): unknown;
  /** It is no longer there. */
  gone(said: string): unknown;
  /** The list without it. */
  readonly back: string;
}

/** After another one's change, what is there now is read: then it can be sent again. */
export function OpenRecord<T>({
  record,
  titleOf,
  children,
  edit,
  removal,
  save,
  remove,
  changed,
  gone,
  back,
}: RecordProps<T>) {
  if (!record.value) return <Waiting of={record} />;
  const { value, tag } = record.value;
  const title = titleOf(value);
  const { storedOf, ...form } = edit;
  const fresh = <R,>(sent: Promise<R>): Promise<R> =>
    sent.catch(async (problem: unknown) => {
      if (problem instanceof Refused && problem.status === 412) await record.reload();
      throw problem;
    });
  const saved = async (said: string) => {
    await record.reload();
    changed(said);
  };
  return (
    <section class="group">
      <Focused text={title} />
      {children(value)}
      <div class="buttons">
        <FormAct
          {...{ ...form, text: "Edit", title: `Edit ${title}`, sure: "Save", stored: storedOf(value), done: saved }}
          send={(changes) => fresh(save(value, changes, tag))}
        />
        <Asking
          {...{ text: "Remove", title: `Remove ${title}?`, sure: "Remove it" }}
          act={async () => gone((await fresh(remove(value, tag))).message ?? "Removed.")}
        >
          <p>{removal}</p>
        </Asking>
        <a class="button" href={back}>
          Close
        </a>
      </div>
    </section>
  );
}
