/** Who comes along: a person leaves some of them out, or names them when registering again. */
import { useState } from "preact/hooks";
import { moneyText } from "../shared/dates.ts";
import { Choice, Line } from "../shared/field.tsx";
import { Press, Sending, useAct } from "../shared/parts.tsx";
import { settings } from "../shared/settings.ts";
import { texts } from "../shared/texts.ts";
import type { Place } from "../shared/types.ts";
import type { PlaceSource } from "./place-source.ts";

const words = texts.company;

interface CompanyProps {
  readonly place: Place;
  readonly source: PlaceSource;
  /** What it means for money. */
  readonly refund: string;
  /** Shows the present state. */
  reload(): Promise<void>;
}

/** The people who come along, of whom the person may leave some out. Who has come stays. */
export function Company({ place, source, refund, reload }: CompanyProps) {
  const { plusOnes = [] } = place.registration;
  const act = useAct();
  const [isOpen, setOpen] = useState(false);
  const [out, setOut] = useState<ReadonlySet<number>>(new Set());
  const choose = (at: number, comes: boolean) =>
    setOut(new Set([...out].filter((one) => one !== at).concat(comes ? [] : at)));
  const send = async () => {
    const left = plusOnes.filter((_, at) => !out.has(at)).map(({ fname }) => ({ fname }));
    if (left.length < plusOnes.length) await source.put({ plusOnes: left }, place);
    await reload();
    setOut(new Set());
    setOpen(false);
    return left.length < plusOnes.length ? words.saved : "";
  };
  if (!isOpen) {
    return (
      <section class="panel">
        <h2>{words.title}</h2>
        <p>{plusOnes.map(({ fname }) => fname).join(", ")}</p>
        <Press onPress={() => setOpen(true)} text={words.change} />
      </section>
    );
  }
  return (
    <Sending act={act} button={words.save} send={send} class="panel acting">
      <h2>{words.title}</h2>
      {plusOnes.map(({ fname, checkedInAt }, at) => (
        <Choice
          key={`${at} ${fname}`}
          {...{ name: "company", value: `${at}`, type: "checkbox", checked: !out.has(at) }}
          disabled={checkedInAt !== undefined}
          choose={(comes) => choose(at, comes)}
        >
          {fname}
        </Choice>
      ))}
      <p>{`${words.text} ${refund}`.trim()}</p>
      <Press onPress={() => setOpen(false)} text={texts.site.back} />
    </Sending>
  );
}

interface NamesProps {
  readonly place: Place;
  readonly names: readonly string[];
  set(names: readonly string[]): void;
}

/** Lines for those who come along, at an event that allows it. */
export const CompanyNames = ({ place: { event, registration }, names, set }: NamesProps) =>
  registration.isPartner ? null : (
    <>
      {Array.from({ length: event.plusOnes ?? 0 }, (_, at) => (
        <Line
          key={`company-${at}`}
          {...{ id: `company-${at}`, label: texts.register.plusOne(at + 1), required: false, value: names[at] ?? "" }}
          set={(name) =>
            set(Array.from({ length: event.plusOnes ?? 0 }, (_, n) => (n === at ? name : (names[n] ?? ""))))
          }
        />
      ))}
      {event.plusOnePrice !== undefined && (
        <p class="minor">{texts.register.plusOneCosts(moneyText(event.plusOnePrice, settings.currency))}</p>
      )}
    </>
  );
