/** An event, and all that can be changed about it. */

import { useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { Focused, Press, Sending, Title, useAct, Way } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { keep, readKept } from "../../shared/store.ts";
import { deskPages, type EventParams, eventPath, keyOf } from "../addresses.ts";
import { change, pathOf, type Tagged } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { count } from "../parts.tsx";
import type { Entries } from "../schema.ts";
import { type SchemaForm, Small, useSchemaForm } from "../schema-form.tsx";
import { Deleting, isOutdated, Publishing } from "./acts.tsx";
import { BannerField } from "./banner.tsx";
import { collect, EventFields, labelFor, look } from "./fields.tsx";
import { Preview } from "./preview.tsx";
import { conflictsOf, entryText, formRecord, refuse, storedEntries } from "./rules.ts";

/** The version with which the entries of this tab began. */
interface Base {
  readonly tag: string | undefined;
  readonly entries: Entries;
}

/** The form of an event, and what another executive has changed of the same fields since its entries began. */
function useEditor({ value: event, tag }: Tagged<DeskEvent>) {
  const draft = `event/${event.id}/${event.year}`;
  const stored = formRecord(event);
  const hidden = [...look.hidden, "id", "year", "publishAt"];
  const form = useSchemaForm("NewEvent", { ...look, draft, stored, hidden });
  const theirs = storedEntries(form.schema, event, settings.timeZone);
  const [base, setKept] = useState(() => readKept<Base>(`base/${draft}`));
  const setBase = (next: Base | undefined) => {
    keep(`base/${draft}`, next);
    setKept(next);
  };
  const { eventPage } = form.entries;
  const mine: Entries = { ...form.entries, eventPage: typeof eventPage === "string" ? eventPage : theirs.eventPage };
  const isOld = form.isChanged && base !== undefined && base.tag !== tag;
  const edited: SchemaForm = {
    ...form,
    set: (path, entry) => {
      if (!form.isChanged) setBase({ tag, entries: theirs });
      form.set(path, entry);
    },
    clear: () => {
      setBase(undefined);
      form.clear();
    },
  };
  return {
    form: edited,
    ...{ mine, theirs, conflicts: isOld ? conflictsOf(base.entries, mine, theirs) : [] },
    keepMine: (names: readonly string[]) => {
      const settled = Object.fromEntries(names.map((name) => [name, theirs[name]]));
      if (base) setBase({ ...base, entries: { ...base.entries, ...settled } });
    },
    takeTheirs: (names: readonly string[]) => {
      for (const name of names) {
        const none = form.schema.properties?.[name]?.type === "boolean" ? false : "";
        form.set([name], theirs[name] ?? none);
      }
    },
  };
}

/** Both versions of what two executives have changed. */
function Conflicts({ mine, theirs, conflicts, keepMine, takeTheirs }: ReturnType<typeof useEditor>) {
  return (
    <section class="panel">
      <Focused text="Another executive has changed this event meanwhile" />
      <p>You have both changed what stands here. Your entries are kept; choose what is to be saved.</p>
      {conflicts.map((name) => (
        <fieldset class="group" key={name}>
          <legend>{labelFor(name)}</legend>
          <div class="columns">
            {[["Theirs, saved", theirs[name]] as const, ["Yours", mine[name]] as const].map(([title, entry]) => (
              <div key={title}>
                <h3>{title}</h3>
                <p class="prose">{entryText(entry)}</p>
              </div>
            ))}
          </div>
          <div class="buttons">
            <Small text="Keep mine" of={labelFor(name)} onPress={() => keepMine([name])} />
            <Small text="Take theirs" of={labelFor(name)} onPress={() => takeTheirs([name])} />
          </div>
        </fieldset>
      ))}
      {conflicts.length > 1 && (
        <div class="buttons">
          <Press text="Keep all mine" onPress={() => keepMine(conflicts)} />
          <Press text="Take all theirs" onPress={() => takeTheirs(conflicts)} />
        </div>
      )}
    </section>
  );
}

interface Changed {
  readonly overCapacityBy?: number;
}

interface EditorProps {
  readonly tagged: Tagged<DeskEvent>;
  reload(): Promise<void>;
  done(said: string): void;
}

function Editor({ tagged, reload, done }: EditorProps) {
  const { value: event, tag } = tagged;
  const editor = useEditor(tagged);
  const { form, theirs, conflicts } = editor;
  const act = useAct((problem) =>
    isOutdated(problem)
      ? "Another executive has changed this event since you opened it. Nothing of yours is lost: look above, and save again."
      : undefined,
  );
  const save = async () => {
    if (conflicts.length > 0) throw refuse("First choose above what is to be saved.");
    const body = collect(form, form.changes());
    let over = 0;
    if (Object.keys(body).length > 0) {
      try {
        ({ overCapacityBy: over = 0 } = await change<Changed>("PATCH", eventPath(event), body, tag));
      } catch (problem) {
        if (isOutdated(problem)) await reload();
        else form.complain(problem);
        throw problem;
      }
      await reload();
    }
    form.clear();
    return over > 0 ? `Saved. ${count(over, "seat is", "seats are")} taken beyond the new number.` : "Saved.";
  };
  return (
    <>
      <Publishing {...{ event, tag, reload }} />
      {conflicts.length > 0 && <Conflicts {...editor} />}
      <Sending act={act} button="Save" send={save}>
        <EventFields
          form={form}
          stored={String(theirs.eventPage)}
          banner={<BannerField form={form} eventId={event.id} />}
        />
        <Preview body={form.body} />
        {form.isChanged && (
          <p class="notice" role="status">
            You have changes that are not saved. They stay in this tab.{" "}
            <button type="button" class="small" onClick={form.clear}>
              Discard them
            </button>
          </p>
        )}
      </Sending>
      <h2>More</h2>
      <div class="buttons">
        <Way to={pathOf(deskPages.newEvent, { id: event.id, year: event.year })} text="Copy for next year" />
        <Deleting {...{ event, tag, reload, done }} />
      </div>
    </>
  );
}

export function EventPage() {
  const params = useRoute().params as unknown as EventParams;
  const event = useEvent(keyOf(params));
  const [said, done] = useState("");
  if (said) {
    return (
      <>
        <Title text="Deleted" />
        <p>
          {said} <a href={deskPages.events}>All events</a>
        </p>
      </>
    );
  }
  return (
    <EventFrame event={event}>
      {({ id, year }, tagged) => <Editor key={`${id}/${year}`} {...{ tagged, reload: event.reload, done }} />}
    </EventFrame>
  );
}
