/** Those who come along with a person: who is inside, in and out without a ticket, and who does not come after all. */
import { type Act, Said, useAct } from "../../shared/parts.tsx";
import type { Registration } from "../../shared/types.ts";
import { change } from "../calls.ts";
import { Asking, type DeskEvent, moment, Small, Tag } from "../parts.tsx";
import { nameOf } from "./people.ts";
import { changeOne } from "./shown.tsx";

interface CompanyProps {
  readonly event: DeskEvent;
  readonly row: Registration;
  /** Shows the registration as it is then. */
  changed(row: Registration): unknown;
}

const admitted: readonly string[] = ["registered", "accepted", "acceptedComplete", "checkedIn"];

/** Those who come along, each with a button to check in, or out again. */
export function CompanyInside({ event, row, changed, act }: CompanyProps & { readonly act: Act }) {
  const { email, plusOnes = [], registrationStatus } = row;
  const enter = async (fname: string, undo: boolean) => {
    const body = { eventID: event.id, year: event.year, email, plusOne: fname, undo };
    const done = await change<{ readonly registration: Registration }>("POST", "/registrations/check-in", body);
    changed(done.registration);
    return undo ? `The check-in of ${fname} is undone.` : `${fname} is checked in.`;
  };
  return (
    <>
      {plusOnes.map(({ fname, checkedInAt }, at) => {
        const isInside = checkedInAt !== undefined;
        return (
          <div key={`${at} ${fname}`} class="device">
            <span>
              {fname} <span class="minor">with {nameOf(row)}</span> {isInside && <Tag text="Came" kind="good" />}{" "}
              {isInside && `since ${moment(checkedInAt)}`}
            </span>
            {admitted.includes(registrationStatus) && (
              <Small
                text={isInside ? "Undo" : "Check in"}
                of={fname}
                onPress={() => act.run(() => enter(fname, isInside))}
              />
            )}
          </div>
        );
      })}
    </>
  );
}

const leftOut =
  "The ticket ends, and the seat goes to the next one in line. What was paid for it is owed to the person.";

/** The same on the page of a person, whom an executive may let bring fewer. */
export function Company({ event, row, changed }: CompanyProps) {
  const act = useAct();
  const { plusOnes = [], registrationStatus } = row;
  if (plusOnes.length === 0) return null;
  const isOver = registrationStatus === "cancelled" || registrationStatus === "rejected";
  const without = async (at: number) => {
    const left = plusOnes.filter((_, n) => n !== at).map(({ fname }) => ({ fname }));
    await changeOne(event, row, { plusOnes: left });
    changed(row);
  };
  return (
    <>
      <h2>Comes along</h2>
      <CompanyInside {...{ event, row, changed, act }} />
      <Said {...act} />
      <div class="buttons">
        {!isOver &&
          plusOnes.map(
            ({ fname, checkedInAt }, at) =>
              checkedInAt === undefined && (
                <Asking
                  key={`${at} ${fname}`}
                  {...{ text: `${fname} does not come`, sure: "Give up the seat", says: leftOut }}
                  act={() => without(at)}
                />
              ),
          )}
      </div>
    </>
  );
}
