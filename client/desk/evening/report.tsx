/** What became of an event: its figures beside those of earlier ones, and what people said. */
import { localTime, zoneOf } from "../../shared/dates.ts";
import { useLoaded, Waiting } from "../../shared/parts.tsx";
import { refusalText } from "../../shared/refusals.ts";
import { settings } from "../../shared/settings.ts";
import type { Event } from "../../shared/types.ts";
import { type EventKey, eventPath } from "../addresses.ts";
import { read, readAll, save } from "../calls.ts";
import { useEach } from "../each.ts";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { useFollowing } from "../following.tsx";
import { Bars, count, Figures, moment, money, Run, SaveTable, Section, Values } from "../parts.tsx";
import { arrivalsOf } from "./at-door.ts";
import { answersTo, cameOf, overall, type Submission } from "./feedback.ts";
import { amountsOf, earlierEvents, figuresOf, type Report, reportTable, showUpRate } from "./figures.ts";

const reportOf = (event: EventKey) => read<Report>(`${eventPath(event)}/report`);

/** Events that are compared. */
const most = 6;

interface ReportProps extends Pick<EventProps, "event"> {
  readonly report: Report;
}

/** A number of a hundred, or why there is none. */
const rateOf = (event: Event): Promise<number | string> =>
  reportOf(event).then(
    (report) => showUpRate(report) ?? "no seats, or not over.",
    (problem: unknown) => `could not be loaded. ${refusalText(problem)}`,
  );

const nameOf = ({ ename, startDate = "" }: Event) =>
  `${ename}, ${localTime(startDate, settings.timeZone).slice(0, 10)}`;

/** The rates of the events before, read one after the other. */
function Before({ event, report }: ReportProps) {
  const before = useLoaded(async () => earlierEvents(await readAll<Event>("/events"), event, most), []);
  const rates = [...useEach(before.value, rateOf)].map(([one, rate]) => [nameOf(one), rate] as const);
  const mine = showUpRate(report);
  const all = [...(mine === undefined ? [] : [["This event", mine] as const]), ...rates];
  return (
    <Section title="Who came, of a hundred with a seat">
      {mine === undefined && <p class="minor">Known of this event once it is over.</p>}
      <Bars
        title="This event and those before"
        bars={all.flatMap(([name, rate]) => (typeof rate === "number" ? [[name, rate]] : []))}
      />
      <Waiting of={before} />
      {before.value?.length === 0 && <p class="minor">There are no earlier events to compare with.</p>}
      <p class="minor prose" role="status">
        {all.flatMap(([name, rate]) => (typeof rate === "string" ? [`${name}: ${rate}`] : [])).join("\n")}
      </p>
    </Section>
  );
}

interface FeedbackProps extends Pick<EventProps, "event"> {
  readonly form: "attendee" | "partner";
}

function Feedback({ event, form }: FeedbackProps) {
  const asked = useFollowing<Submission>(`${eventPath(event)}/feedback/${form}/submissions`);
  const given = asked.value ?? [];
  const questions = form === "attendee" ? event.attendeeFeedbackQuestions : event.partnerFeedbackQuestions;
  return (
    <Section title={form === "attendee" ? "What people said" : "What partners said"}>
      <Waiting of={asked} />
      {asked.value?.length === 0 && <p class="minor">Nothing yet.</p>}
      {given.length > 0 && <Bars title={`${count(given.length, "answer")} by people who`} bars={cameOf(given)} />}
      {given.length > 0 &&
        [overall, ...questions.filter(({ questionId }) => questionId !== overall.questionId)].map((question) => {
          const { bars, mean, remarks = [] } = answersTo(question, given);
          const title = question.label + (mean === undefined ? "" : `, on average ${mean.toFixed(1)}`);
          return bars ? (
            <Bars key={question.questionId} {...{ title, bars }} />
          ) : (
            <section key={question.questionId}>
              <h3>{title}</h3>
              {remarks.length === 0 && <p class="minor">No answers.</p>}
              {remarks.map(({ id, text, by }) => (
                <blockquote key={id} class="item prose">
                  {text} <span class="note">{by}</span>
                </blockquote>
              ))}
            </section>
          );
        })}
    </Section>
  );
}

function Counted({ event, report }: ReportProps) {
  const { id, year } = event;
  const arrivals = report.checkIns.map((one) => [one.from, one.count] as const);
  const { minutes, bars } = arrivalsOf(arrivals, zoneOf(event, settings.timeZone));
  const table = async () => save(new Blob([reportTable(report)], { type: "text/csv" }), `report-${id}-${year}.csv`);
  const people = { path: "/registrations", query: { eventID: id, year }, file: `${id}-${year}.csv` };
  return (
    <>
      <Figures rows={figuresOf(report)} />
      <p class="minor">Counted {moment(report.at)}. What is asked for 30 days after the event is kept from then on.</p>
      <div class="buttons">
        <SaveTable {...{ ...people, text: "All registrations as a table" }} />
        <Run {...{ text: "This report as a table", run: table }} />
      </div>
      <div class="columns">
        <Bars title={`Arrivals by ${minutes} minutes`} bars={bars} />
        <Bars title="Registrations by day" bars={report.registrationsByDay.map((one) => [one.day, one.count])} />
      </div>
      {report.answers
        .filter(({ choices }) => choices.length > 0)
        .map(({ questionId, label, choices, other, unanswered }) => (
          <Bars
            key={questionId}
            title={`${label} (people with a seat)`}
            bars={[
              ...choices.map((one) => [one.choice, one.count] as const),
              ...(other > 0 ? [["Something else", other] as const] : []),
              ...(unanswered > 0 ? [["No answer", unanswered] as const] : []),
            ]}
          />
        ))}
      <Section title="Money">
        <Values rows={amountsOf(report).map(([label, cents]) => [label, money(cents)])} />
      </Section>
    </>
  );
}

function Reported({ event }: EventProps) {
  const asked = useLoaded(() => reportOf(event), []);
  const report = asked.value;
  return (
    <>
      <Waiting of={asked} />
      {report && <Counted {...{ event, report }} />}
      {report && <Before {...{ event, report }} />}
      <Feedback event={event} form="attendee" />
      {event.partnerFeedbackQuestions.length > 0 && <Feedback event={event} form="partner" />}
    </>
  );
}

export const ReportPage = ofEvent(Reported);
