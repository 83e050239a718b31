/** All events: those to come, the next one first, and those that are past. */
import { useState } from "preact/hooks";
import { eventPage, eventsPage, signInPage } from "./addresses.ts";
import { fetched } from "./api.ts";
import { now } from "./clock.ts";
import { isPast, shortMoment, tileOf, whenText } from "./dates.ts";
import { phaseOf, priceText } from "./opening.ts";
import { Banner, Button, Said, Title, useAct, useLoaded, Waiting } from "./parts.tsx";
import { account } from "./session.ts";
import { settings } from "./settings.ts";
import { texts } from "./texts.ts";
import type { Event } from "./types.ts";

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

function state(event: Event): string | undefined {
  const phase = phaseOf(event, now());
  if (phase === "ended") return words.ended;
  if (phase === "soon" && event.opensAt) return words.opens(shortMoment(Date.parse(event.opensAt), timeZone, now()));
  return undefined;
}

function Card({ event, isOver = false }: { readonly event: Event; readonly isOver?: boolean }) {
  const tile = event.startDate
    ? tileOf(event.wholeDays?.startDate ?? event.startDate, event.wholeDays?.startDate ? "UTC" : timeZone)
    : undefined;
  const tags = isOver
    ? []
    : [
        priceText(event, currency) ?? words.free,
        event.nonBizTechAllowed ? undefined : words.members,
        event.isApplicationBased ? words.applications : undefined,
        state(event),
      ].filter(Boolean);
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

function Lists({ first }: { readonly first: List }) {
  const [list, setList] = useState(first);
  const act = useAct();
  const more = async () => setList(await readMore(list));
  const at = now();
  const upcoming = list.events.filter((event) => !isPast(event, at)).sort((a, b) => startOf(a) - startOf(b));
  const past = list.events.filter((event) => isPast(event, at)).sort((a, b) => startOf(b) - startOf(a));
  return (
    <>
      <section aria-labelledby="upcoming">
        <h2 id="upcoming">{words.upcoming}</h2>
        {upcoming.length === 0 && <p>{words.none}</p>}
        <ul class="cards">
          {upcoming.map((event) => (
            <Card key={`${event.id};${event.year}`} event={event} />
          ))}
        </ul>
      </section>
      {settings.publicEvents && <Subscribe />}
      <section aria-labelledby="past">
        <h2 id="past">{words.past}</h2>
        {past.length === 0 && <p>{words.nonePast}</p>}
        <ul class="rows">
          {past.map((event) => (
            <Card key={`${event.id};${event.year}`} event={event} isOver />
          ))}
        </ul>
        {list.cursor && <Button act={act} onPress={() => act.run(more)} text={words.more} />}
        <Said text={act.said} isProblem={act.isProblem} />
      </section>
    </>
  );
}

/** Calendar programs ask for the address themselves, without a token. */
function Subscribe() {
  const address = new URL(`${settings.api}/calendar.ics`, location.origin);
  return (
    <p class="notice">
      <a href={address.href.replace(/^https?:/, "webcal:")}>{words.subscribe}</a>. {words.subscribeText}
    </p>
  );
}

export function EventsPage() {
  const isShown = settings.publicEvents || account.value !== undefined;
  const list = useLoaded(async () => (isShown ? readMore() : undefined), [isShown]);
  return (
    <>
      <Title text={words.title} />
      {isShown ? (
        <>
          <Waiting of={list} />
          {list.value && <Lists first={list.value} />}
        </>
      ) : (
        <p>
          {words.private} <a href={signInPage(eventsPage)}>{texts.site.signIn}</a>
        </p>
      )}
    </>
  );
}
