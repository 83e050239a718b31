/** What became of an event: its figures beside those of earlier ones, and what people said. */
import { useEffect, useState } from "preact/hooks";
import type { components } from "../../paths.ts";
import { localTime } from "../../shared/dates.ts";
import { Button, Said, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { refusalText } from "../../shared/refusals.ts";
import { settings } from "../../shared/settings.ts";
import type { Event } from "../../shared/types.ts";
import { type EventParams, eventDesk, eventPath, keyOf } from "../addresses.ts";
import { download, read, readAll, save } from "../calls.ts";
import { type DeskEvent, EventFrame, useEvent } from "../event-frame.tsx";
import { Bars, count, Download, moment, money, Values } from "../parts.tsx";
import { arrivalsOf } from "./at-door.ts";
import { answersTo, cameOf, overall } from "./feedback.ts";
import { amountsOf, earlierEvents, figuresOf, type Report, reportTable, showUpRate } from "./figures.ts";

const reportOf = (event: { readonly id: string; readonly year: number }) => read<Report>(`${eventPath(event)}/report`);

/** Events that are compared. */
const most = 6;

interface Compared {
  readonly event: Event;
  /** A number of a hundred, or why there is none. */
  readonly rate: number | string;
}

/** The rates of the events before, one after the other. */
function Before({ event, report }: { readonly event: DeskEvent; readonly report: Report }) {
  const [compared, setCompared] = useState<readonly Compared[]>([]);
  const [state, setState] = useState("Loading earlier events …");
  useEffect(() => {
    let hasEnded = false;
    const load = async () => {
      const events = await readAll<Event, readonly Event[]>("/events", {}, (all) => all);
      const before = earlierEvents(events, event, most);
      for (const [index, one] of before.entries()) {
        if (hasEnded) return;
        setState(`Loading earlier events: ${index + 1} of ${before.length} …`);
        const rate = await reportOf(one).then(
          (its) => showUpRate(its) ?? "had no seat holders, or is not over",
          (problem: unknown) => `could not be loaded: ${refusalText(problem)}`,
        );
        setCompared((kept) => [...kept, { event: one, rate }]);
      }
      setState(before.length === 0 ? "There are no earlier events to compare with." : "");
    };
    load().catch((problem: unknown) => setState(`Earlier events could not be loaded: ${refusalText(problem)}`));
    return () => {
      hasEnded = true;
    };
  }, []);
  const mine = showUpRate(report);
  const bars = compared.flatMap(({ event: one, rate }) =>
    typeof rate === "number"
      ? [[`${one.ename}, ${localTime(one.startDate ?? "", settings.timeZone).slice(0, 10)}`, rate] as const]
      : [],
  );
  return (
    <section>
      <h2>Who came, of a hundred with a seat</h2>
      {mine === undefined && <p class="minor">Known once the event is over.</p>}
      <Bars title="This event and those before" bars={mine === undefined ? bars : [["This event", mine], ...bars]} />
      {compared.map(
        ({ event: one, rate }) =>
          typeof rate === "string" && (
            <p class="minor" key={`${one.id};${one.year}`}>
              <a href={eventDesk(one, "report")}>{one.ename}</a> {rate}
            </p>
          ),
      )}
      <p class="minor" role="status">
        {state}
      </p>
    </section>
  );
}

type Submissions = components["schemas"]["Submissions"];
type Submission = Submissions["submissions"][number];

interface FeedbackProps {
  readonly event: DeskEvent;
  readonly form: "attendee" | "partner";
}

function Feedback({ event, form }: FeedbackProps) {
  const asked = useLoaded(
    () =>
      readAll<Submission, Submissions>(`${eventPath(event)}/feedback/${form}/submissions`, {}, (a) => a.submissions),
    [],
  );
  const own = form === "attendee" ? event.attendeeFeedbackQuestions : event.partnerFeedbackQuestions;
  const questions = [overall, ...own.filter(({ questionId }) => questionId !== overall.questionId)];
  const given = asked.value;
  return (
    <section>
      <h2>{form === "attendee" ? "What people said" : "What partners said"}</h2>
      <Waiting of={asked} />
      {given?.length === 0 && <p class="minor">Nothing yet.</p>}
      {given && given.length > 0 && (
        <>
          <Bars title={`${count(given.length, "answer")} by people who`} bars={cameOf(given)} />
          {questions.map((question) => {
            const answers = answersTo(question, given);
            if (answers.kind === "bars") {
              const mean = answers.mean === undefined ? "" : `, on average ${answers.mean.toFixed(1)}`;
              return <Bars key={question.questionId} title={question.label + mean} bars={answers.bars} />;
            }
            return (
              <section key={question.questionId}>
                <h3>{question.label}</h3>
                {answers.remarks.length === 0 && <p class="minor">No answers.</p>}
                <ul class="rows">
                  {answers.remarks.map(({ id, text, by }) => (
                    <li key={id} class="item">
                      <p class="prose">{text}</p>
                      <p class="minor">{by}</p>
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </>
      )}
    </section>
  );
}

function Files({ event, report }: { readonly event: DeskEvent; readonly report: Report }) {
  const act = useAct();
  const { id, year } = event;
  const saved = async () =>
    save(new Blob([reportTable(report, event)], { type: "text/csv" }), `report-${id}-${year}.csv`);
  return (
    <section>
      <h2>Files</h2>
      <div class="buttons">
        <Download
          {...{ act, text: "All registrations as a table" }}
          load={() => download("/registrations", { eventID: id, year, format: "csv" }, `${id}-${year}.csv`)}
        />
        <Button {...{ act, text: "This report as a table", onPress: () => act.run(saved) }} />
      </div>
      <Said {...act} />
    </section>
  );
}

function Figures({ report }: { readonly report: Report }) {
  const { minutes, bars } = arrivalsOf(
    report.checkIns.map(({ from, count: some }) => [from, some] as const),
    settings.timeZone,
  );
  return (
    <>
      <dl class="figures">
        {figuresOf(report).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value.toLocaleString("en-US")}</dd>
          </div>
        ))}
      </dl>
      <p class="minor">Counted {moment(report.at)}. What is asked for 30 days after the event is kept from then on.</p>
      <div class="columns">
        {bars.length > 0 && <Bars title={`Arrivals by ${minutes} minutes`} bars={bars} />}
        {report.registrationsByDay.length > 0 && (
          <Bars title="Registrations by day" bars={report.registrationsByDay.map((one) => [one.day, one.count])} />
        )}
      </div>
      <section>
        <h2>Money</h2>
        {report.money.payments === 0 ? (
          <p class="minor">No payments.</p>
        ) : (
          <Values rows={amountsOf(report).map(([label, cents]) => [label, money(cents)])} />
        )}
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
      {report && (
        <>
          <Figures report={report} />
          <Before {...{ event, report }} />
        </>
      )}
      <Feedback event={event} form="attendee" />
      {event.partnerFeedbackQuestions.length > 0 && <Feedback event={event} form="partner" />}
      {report && <Files {...{ event, report }} />}
    </>
  );
}

export function ReportPage(params: EventParams) {
  const event = useEvent(keyOf(params));
  return (
    <EventFrame event={event}>{(value) => <Reported event={value} key={`${value.id};${value.year}`} />}</EventFrame>
  );
}
