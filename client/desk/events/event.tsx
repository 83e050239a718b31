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

type Version = Pick<Known, "tag"> & { readonly entries: Entries };

/** The form of an event, and what another executive has changed of the same fields since its entries began. */
function useEditor({ event, tag }: Known) {
  const draft = `event/${event.id}/${event.year}`;
  const stored = formRecord(event);
  const hidden = [...look.hidden, "id", "year"];
  const entered = useSchemaForm("NewEvent", { ...look, draft, stored, hidden });
  const { schema, entries: mine, isChanged } = entered;
  const theirs = entriesOf(schema, stored, settings.timeZone);
  /** The version with which the entries of this tab began. */
  const [base, setKept] = useState(() => readKept<Version>(`base/${draft}`));
  const setBase = (next: (kept: Version | undefined) => Version | undefined) =>
    setKept((kept) => {
      keep(`base/${draft}`, next(kept));
      return next(kept);
    });
  const form: SchemaForm = {
    ...entered,
    set: (path, entry) => {
      if (!isChanged) setBase(() => ({ tag, entries: theirs }));
      entered.set(path, entry);
    },
    clear: () => {
      setBase(() => undefined);
      entered.clear();
    },
  };
  const isOld = isChanged && base !== undefined && base.tag !== tag;
  return {
    ...{ form, mine, theirs, conflicts: isOld ? conflictsOf(base.entries, mine, theirs) : [] },
    keepMine: (name: string) =>
      setBase((kept) => kept && { ...kept, entries: { ...kept.entries, [name]: theirs[name] } }),
    takeTheirs: (name: string) =>
      entered.set([name], theirs[name] ?? (schema.properties?.[name]?.type === "boolean" ? false : "")),
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
          <p class="prose">Theirs, as it is saved: {entryText(theirs[name])}</p>
          <p class="prose">Yours: {entryText(mine[name])}</p>
          <div class="buttons">
            <Small text="Keep mine" of={labelFor(name)} onPress={() => keepMine(name)} />
            <Small text="Take theirs" of={labelFor(name)} onPress={() => takeTheirs(name)} />
          </div>
        </fieldset>
      ))}
      <div class="buttons">
        <Press text="Take all theirs" onPress={() => conflicts.map(takeTheirs)} />
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
    if (Object.keys(body).length === 0) return form.clear();
    const saved = await changeKnown<{ readonly overCapacityBy?: number }>(known, {}, body).catch(form.complain);
    const over = saved.overCapacityBy ?? 0;
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
