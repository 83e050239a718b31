/** An event, and all that can be changed about it. */

import { useState } from "preact/hooks";
import { useRoute } from "preact-iso";
import { Focused, Press, Sending, useAct, Way } from "../../shared/parts.tsx";
import { settings } from "../../shared/settings.ts";
import { keep, readKept } from "../../shared/store.ts";
import { deskPages, type EventParams, keyOf } from "../addresses.ts";
import { pathOf } from "../calls.ts";
import { EventFrame, useEvent } from "../event-frame.tsx";
import { count } from "../parts.tsx";
import { type Entries, entriesOf } from "../schema.ts";
import { type SchemaForm, Small, useSchemaForm } from "../schema-form.tsx";
import { changeKnown, Deleting, type Known, Publishing } from "./acts.tsx";
import { BannerField } from "./banner.tsx";
import { EventFields, labelFor, look } from "./fields.tsx";
import { Preview } from "./preview.tsx";
import { bodyToSend, conflictsOf, entryText, formRecord, refuse } from "./rules.ts";

/** The version with which the entries of this tab began. */
interface Base {
  readonly tag: string | undefined;
  readonly entries: Entries;
}

/** The form of an event, and what another executive has changed of the same fields since its entries began. */
function useEditor({ event, tag }: Known) {
  const draft = `event/${event.id}/${event.year}`;
  const stored = formRecord(event);
  const hidden = [...look.hidden, "id", "year"];
  const entered = useSchemaForm("NewEvent", { ...look, draft, stored, hidden });
  const { schema, entries: mine, isChanged } = entered;
  const theirs = entriesOf(schema, stored, settings.timeZone);
  const [base, setKept] = useState(() => readKept<Base>(`base/${draft}`));
  const setBase = (next: Base | undefined) => {
    keep(`base/${draft}`, next);
    setKept(next);
  };
  const form: SchemaForm = {
    ...entered,
    set: (path, entry) => {
      if (!isChanged) setBase({ tag, entries: theirs });
      entered.set(path, entry);
    },
    clear: () => {
      setBase(undefined);
      entered.clear();
    },
  };
  const isOld = isChanged && base !== undefined && base.tag !== tag;
  return {
    ...{ form, mine, theirs, conflicts: isOld ? conflictsOf(base.entries, mine, theirs) : [] },
    keepMine: (names: readonly string[]) => {
      const seen = Object.fromEntries(names.map((name) => [name, theirs[name]]));
      if (base) setBase({ ...base, entries: { ...base.entries, ...seen } });
    },
    takeTheirs: (names: readonly string[]) => {
      const none = (name: string) => (schema.properties?.[name]?.type === "boolean" ? false : "");
      for (const name of names) entered.set([name], theirs[name] ?? none(name));
    },
  };
}

/** Both versions of what two executives have changed. */
function Conflicts({ mine, theirs, conflicts, keepMine, takeTheirs }: ReturnType<typeof useEditor>) {
  return (
    <section class="panel">
      <Focused text="Another executive has changed this event meanwhile" />
      <p>You have both changed what stands here. Choose what is to be saved, then save.</p>
      {conflicts.map((name) => (
        <fieldset class="group" key={name}>
          <legend>{labelFor(name)}</legend>
          <div class="columns">
            {["Theirs, as it is saved", "Yours"].map((title, index) => (
              <div key={title}>
                <h3>{title}</h3>
                <p class="prose">{entryText((index === 0 ? theirs : mine)[name])}</p>
              </div>
            ))}
          </div>
          <div class="buttons">
            <Small text="Keep mine" of={labelFor(name)} onPress={() => keepMine([name])} />
            <Small text="Take theirs" of={labelFor(name)} onPress={() => takeTheirs([name])} />
          </div>
        </fieldset>
      ))}
      <div class="buttons">
        <Press text="Keep all mine" onPress={() => keepMine(conflicts)} />
        <Press text="Take all theirs" onPress={() => takeTheirs(conflicts)} />
      </div>
    </section>
  );
}

function Editor(known: Known) {
  const { event, reload } = known;
  const editor = useEditor(known);
  const { form, conflicts } = editor;
  const act = useAct();
  const save = async () => {
    if (conflicts.length > 0) throw refuse("First choose above what is to be saved.");
    const body = bodyToSend(form.changes());
    const { overCapacityBy: over = 0 } =
      Object.keys(body).length === 0
        ? {}
        : await changeKnown<{ readonly overCapacityBy?: number }>(known, "PATCH", body).catch(form.complain);
    await reload();
    form.clear();
    return over > 0 ? `Saved. ${count(over, "seat is", "seats are")} taken beyond the new number.` : "Saved.";
  };
  return (
    <>
      <Publishing {...known} />
      {conflicts.length > 0 && !act.isBusy && <Conflicts {...editor} />}
      <Sending act={act} button="Save" send={save}>
        <EventFields form={form} banner={<BannerField form={form} eventId={event.id} />} />
        <Preview body={form.body} />
        {form.isChanged && <p role="status">You have changes that are not saved. They stay in this tab.</p>}
      </Sending>
      <div class="buttons">
        {form.isChanged && <Press text="Discard my changes" onPress={form.clear} />}
        <Way to={pathOf(deskPages.newEvent, { id: event.id, year: event.year })} text="Copy for next year" />
        <Deleting {...known} />
      </div>
    </>
  );
}

export function EventPage() {
  const read = useEvent(keyOf(useRoute().params as unknown as EventParams));
  return (
    <EventFrame event={read}>
      {(event, { tag }) => <Editor key={`${event.id}/${event.year}`} {...{ event, tag, reload: read.reload }} />}
    </EventFrame>
  );
}
