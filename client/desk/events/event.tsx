/** An event, and all that can be changed about it. */
import { Press, Sending, useAct, Way } from "../../shared/parts.tsx";
import { deskPages, eventPath } from "../addresses.ts";
import { pathOf } from "../calls.ts";
import { Conflicts, useEditor } from "../editor.tsx";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { count } from "../parts.tsx";
import { CallingOff, Deleting, Publishing } from "./acts.tsx";
import { BannerField } from "./banner.tsx";
import { EventFields, look } from "./fields.tsx";
import { Preview } from "./preview.tsx";
import { bodyToSend, formRecord } from "./rules.ts";

const hidden = [...look.hidden, "id", "year"];

function Editor(known: EventProps) {
  const { event, tag, reload } = known;
  const options = { ...look, hidden, tag, reload, draft: `event/${event.id}/${event.year}`, stored: formRecord(event) };
  const editor = useEditor("NewEvent", options);
  const { form } = editor;
  const act = useAct();
  const save = async () => {
    const saved = await editor.save<{ readonly overCapacityBy?: number }>(eventPath(event), bodyToSend);
    const over = saved?.overCapacityBy ?? 0;
    return saved && `Saved.${over > 0 ? ` ${count(over, "seat is", "seats are")} taken beyond the new number.` : ""}`;
  };
  return (
    <>
      <Publishing {...known} />
      {!act.isBusy && <Conflicts {...editor} what="event" />}
      <Sending act={act} button="Save" send={save}>
        <EventFields form={form} banner={<BannerField form={form} eventId={event.id} />} />
        <Preview body={form.body} />
        {form.isChanged && <p role="status">You have changes that are not saved. They stay in this tab.</p>}
      </Sending>
      <div class="buttons">
        {form.isChanged && <Press text="Discard my changes" onPress={form.clear} />}
        <Way to={pathOf(deskPages.newEvent, { id: event.id, year: event.year })} text="Copy for next year" />
        <CallingOff {...known} />
        <Deleting {...known} />
      </div>
    </>
  );
}

export const EventPage = ofEvent(Editor);
