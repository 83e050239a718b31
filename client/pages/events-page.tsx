/** All events: those to come, the next one first, and those that are past. */
import { useState } from "preact/hooks";
import { eventPage, eventsPage } from "../shared/addresses.ts";
import { fetched } from "../shared/api.ts";
import { now } from "../shared/clock.ts";
import { isPast, shortMoment, tileOf, whenText, zoneOf } from "../shared/dates.ts";
import { phaseOf, priceText } from "../shared/opening.ts";
import { AskSignIn, Banner, Button, Said, Title, useAct, useLoaded, Waiting } from "../shared/parts.tsx";
import { account } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { texts } from "../shared/texts.ts";
import type { Event } from "../shared/types.ts";

const words = texts.events;
const { timeZone, currency } = settings;

interface List {
  readonly events: readonly Event[];
  /** Undefined: the list is complete. */
  readonly cursor: string | undefined;
}

/** Milliseconds since the epoch; events without a date come last. */
const startOf = ({ startDate }: Event): number => (startDate ? Date.parse(startDate) : Number.POSITIVE_INFINITY);

/** A page of the list, behind those that are there. The newest comes first, so the first page has what is to come. */
async function readMore(list?: List): Promise<List> {
  const query = new URLSearchParams({ limit: "30", ...(list?.cursor && { cursor: list.cursor }) });
  const response = await fetched(`/events?${query}`, { signed: true });
  const events = (await response.json()) as Event[];
  return { events: [...(list?.events ?? []), ...events], cursor: response.headers.get("x-next-cursor") ?? undefined };
}

/** What is worth knowing about an event that is ahead. */
function tagsOf(event: Event): string[] {
  const phase = phaseOf(event, now());
  const opens = phase === "soon" && event.opensAt;
  if (event.calledOff !== undefined) return [words.calledOff];
  return [
    priceText(event, currency) ?? words.free,
    !event.nonBizTechAllowed && words.members,
    event.isApplicationBased && words.applications,
    phase === "ended" && words.ended,
    opens && words.opens(shortMoment(Date.parse(opens), zoneOf(event, timeZone), now())),
  ].filter((tag) => typeof tag === "string");
}

function Card({ event, isOver }: { readonly event: Event; readonly isOver: boolean }) {
  const tile = event.startDate && tileOf(event, timeZone);
  const tags = isOver ? [] : tagsOf(event);
  return (
    <li class={isOver ? "card past" : "card"}>
      {!isOver && event.imageUrl && <Banner url={event.imageUrl} isSmall />}
      <div class="card-text">
        {tile && (
          <p class="tile" aria-hidden="true">
            <b>{tile.day}</b>
            {tile.month}
          </p>
        )}
        <div>
          <h3>
            <a href={eventPage(event)}>{event.ename}</a>
          </h3>
          <p class="minor">{whenText(event, timeZone, "card") ?? words.noDate}</p>
          {event.elocation && <p class="minor">{event.elocation}</p>}
          {tags.length > 0 && (
            <ul class="tags">
              {tags.map((tag) => (
                <li key={tag}>{tag}</li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </li>
  );
}

const Cards = ({ events, isOver = false }: { readonly events: readonly Event[]; readonly isOver?: boolean }) => (
  <ul class={isOver ? "rows" : "cards"}>
    {events.map((event) => (
      <Card key={eventPage(event)} event={event} isOver={isOver} />
    ))}
  </ul>
);

function Lists({ first }: { readonly first: List }) {
  const [list, setList] = useState(first);
  const act = useAct();
  const more = () => act.run(async () => setList(await readMore(list)));
  const at = now();
  const upcoming = list.events.filter((event) => !isPast(event, at)).sort((a, b) => startOf(a) - startOf(b));
  const past = list.events.filter((event) => isPast(event, at)).sort((a, b) => startOf(b) - startOf(a));
  return (
    <>
      <section aria-labelledby="upcoming">
        <h2 id="upcoming">{words.upcoming}</h2>
        {upcoming.length === 0 && <p>{words.none}</p>}
        <Cards events={upcoming} />
      </section>
      {settings.publicEvents && <Subscribe />}
      <section aria-labelledby="past">
        <h2 id="past">{words.past}</h2>
        {past.length === 0 && <p>{words.nonePast}</p>}
        <Cards events={past} isOver />
        {list.cursor && <Button act={act} onPress={more} text={words.more} />}
        <Said {...act} />
      </section>
    </>
  );
}

/** Calendar programs ask for the address themselves, without a token. */
function Subscribe() {
  const { href } = new URL(`${settings.api}/calendar.ics`, location.origin);
  return (
    <p class="notice">
      <a href={href.replace(/^https?:/, "webcal:")}>{words.subscribe}</a>. {words.subscribeText}
    </p>
  );
}

export function EventsPage() {
  const isShown = settings.publicEvents || account.value !== undefined;
  const list = useLoaded(async () => (isShown ? readMore() : undefined), [isShown]);
  return (
    <>
      <Title text={words.title} />
      {isShown ? <Waiting of={list} /> : <AskSignIn text={words.private} next={eventsPage} />}
      {isShown && list.value && <Lists first={list.value} />}
    </>
  );
}
