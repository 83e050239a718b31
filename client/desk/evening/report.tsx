/** What became of an event: its figures beside those of earlier ones, and what people said. */
import { useEffect, useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { localTime } from "../../shared/dates.ts";
import { Button, Said, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { refusalText } from "../../shared/refusals.ts";
import { settings } from "../../shared/settings.ts";
import type { Event } from "../../shared/types.ts";
import { type EventKey, type EventParams, eventPath, keyOf } from "../addresses.ts";
import { download, read, readAll, readList, save } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { Bars, count, Download, Figures, moment, money, Values } from "../parts.tsx";
import { arrivalsOf, type Bar } from "./at-door.ts";
import { answersTo, cameOf, overall, type Submission } from "./feedback.ts";
import { amountsOf, earlierEvents, figuresOf, type Report, reportTable, showUpRate } from "./figures.ts";

const reportOf = (event: EventKey) => read<Report>(`${eventPath(event)}/report`);

/** Events that are compared. */
const most = 6;

interface ReportProps {
  readonly event: DeskEvent;
  readonly report: Report;
}

/** The rates of the events before, read one after the other. */
function Before({ event, report }: ReportProps) {
  const [rates, setRates] = useState<readonly Bar[]>([]);
  const [said, setSaid] = useState<readonly string[]>([]);
  useEffect(() => {
    let hasEnded = false;
    const note = (text: string) => setSaid((kept) => [...kept, text]);
    const load = async () => {
      const before = earlierEvents(await readList<Event>("/events"), event, most);
      if (before.length === 0) note("There are no earlier events to compare with.");
      for (const one of before) {
        if (hasEnded) return;
        const name = `${one.ename}, ${localTime(one.startDate ?? "", settings.timeZone).slice(0, 10)}`;
        try {
          const rate = showUpRate(await reportOf(one));
          if (rate === undefined) note(`${name}: no seats, or not over.`);
          else setRates((kept) => [...kept, [name, rate]]);
        } catch (problem) {
          note(`${name} could not be loaded. ${refusalText(problem)}`);
        }
      }
    };
    load().catch((problem: unknown) => note(`Earlier events could not be loaded. ${refusalText(problem)}`));
    return () => {
      hasEnded = true;
    };
  }, []);
  const mine = showUpRate(report);
  return (
    <section>
      <h2>Who came, of a hundred with a seat</h2>
      {mine === undefined && <p class="minor">Known of this event once it is over.</p>}
      <Bars
        title="This event and those before"
        bars={[...(mine === undefined ? [] : [["This event", mine] as const]), ...rates]}
      />
      <p class="minor prose" role="status">
        {said.join("\n")}
      </p>
    </section>
  );
}

interface FeedbackProps {
  readonly event: DeskEvent;
  readonly form: "attendee" | "partner";
}

function Feedback({ event, form }: FeedbackProps) {
  const path = `${eventPath(event)}/feedback/${form}/submissions`;
  const listOf = ({ submissions }: components["schemas"]["Submissions"]) => submissions;
  const asked = useLoaded<readonly Submission[]>(() => readAll(path, {}, listOf), []);
  const given = asked.value ?? [];
  const questions = form === "attendee" ? event.attendeeFeedbackQuestions : event.partnerFeedbackQuestions;
  return (
    <section>
      <h2>{form === "attendee" ? "What people said" : "What partners said"}</h2>
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
    </section>
  );
}

function Counted({ event: { id, year }, report }: ReportProps) {
  const act = useAct();
  const arrivals = report.checkIns.map((one) => [one.from, one.count] as const);
  const { minutes, bars } = arrivalsOf(arrivals, settings.timeZone);
  const table = async () => save(new Blob([reportTable(report)], { type: "text/csv" }), `report-${id}-${year}.csv`);
  const people = () => download("/registrations", { eventID: id, year, format: "csv" }, `${id}-${year}.csv`);
  return (
    <>
      <Figures rows={figuresOf(report)} />
      <p class="minor">Counted {moment(report.at)}. What is asked for 30 days after the event is kept from then on.</p>
      <div class="buttons">
        <Download {...{ act, text: "All registrations as a table", load: people }} />
        <Button {...{ act, text: "This report as a table", onPress: () => act.run(table) }} />
      </div>
      <Said {...act} />
      <div class="columns">
        <Bars title={`Arrivals by ${minutes} minutes`} bars={bars} />
        <Bars title="Registrations by day" bars={report.registrationsByDay.map((one) => [one.day, one.count])} />
      </div>
      <section>
        <h2>Money</h2>
        <Values rows={amountsOf(report).map(([label, cents]) => [label, money(cents)])} />
      </section>
    </>
  );
}

function Reported({ event }: { readonly event: DeskEvent }) {
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

export function ReportPage(params: EventParams) {
  const event = useEvent(keyOf(params));
  return (
    <EventFrame event={event}>{(value) => <Reported event={value} key={`${value.id};${value.year}`} />}</EventFrame>
  );
}
