/** The codes of an event: discounts, access, and the right to come as a partner. */
import type { components } from "../../paths.ts";
import { eventPage } from "../../shared/addresses.ts";
import { Said, useAct } from "../../shared/parts.tsx";
import { eventPath } from "../addresses.ts";
import { change, changeSaying } from "../calls.ts";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { useFollowing } from "../following.tsx";
import { FormAct } from "../form-act.tsx";
import { Asking, count, type DoneProps, moment, sayer } from "../parts.tsx";
import { column, figure, minor, Table } from "../table.tsx";

type Code = components["schemas"]["Code"];

const look = {
  labels: { price: "Price", off: "Amount off", percentOff: "Per cent off", audience: "For whom" },
  hints: { code: "Empty: one is made that no one guesses." },
};

function termsOf({ price, off, percentOff }: Code): string {
  if (price !== undefined) return price === 0 ? "free" : `for ${price.toFixed(2)}`;
  if (off !== undefined) return `${off.toFixed(2)} off`;
  return percentOff === undefined ? "" : `${percentOff} % off`;
}

const validOf = ({ validFrom, validUntil, endedAt }: Code): string =>
  endedAt === undefined
    ? [validFrom && `from ${moment(validFrom)}`, validUntil && `until ${moment(validUntil)}`].filter(Boolean).join(" ")
    : `ended ${moment(endedAt)}`;

const columns = (event: EventProps["event"]) => [
  column<Code>("Code", ({ code }) => code),
  column<Code>("For", (code) =>
    [code.kind, termsOf(code), code.audience === "members" && "members"].filter(Boolean).join(", "),
  ),
  figure<Code>("Used", ({ used }) => used),
  figure<Code>("Of", ({ uses }) => uses),
  column<Code>("Valid", validOf, minor),
  column<Code>("Note", ({ note, id }) => note ?? id, minor),
  column<Code>("Link", ({ code }) => `${location.origin}${eventPage(event)}?code=${encodeURIComponent(code)}`, minor),
];

function Acts({ code, path, done }: DoneProps & { readonly code: Code; readonly path: string }) {
  const own = `${path}/${encodeURIComponent(code.id)}`;
  const end = async () => done(await changeSaying("DELETE", own));
  return (
    <li>
      {code.code}{" "}
      <FormAct
        {...{
          text: "Change",
          title: `Change ${code.code}`,
          sure: "Save",
          schema: "CodeChanges",
          draft: `code/${code.id}`,
          stored: code,
          look,
          done,
        }}
        says="Who has used it keeps what it promised."
        send={(body) => change("PATCH", own, body)}
      />
      {code.endedAt === undefined && (
        <Asking
          {...{ text: "End", title: `End ${code.code}?`, sure: "End it", act: end }}
          says={
            code.used > 0
              ? "No one can use it any more. Who has used it keeps what it promised. It cannot be undone."
              : "No registration uses it, so it is removed."
          }
        />
      )}
    </li>
  );
}

function Codes({ event }: EventProps) {
  const act = useAct();
  const path = `${eventPath(event)}/codes`;
  const codes = useFollowing<Code>(path);
  const done = sayer(act, codes);
  return (
    <>
      <p>
        People enter a code in the form, or open its link. A use is taken with the registration, also on the waitlist,
        and comes back when it is cancelled.
      </p>
      {event.allotment !== undefined && (
        <p>
          Of the {count(event.allotment, "seat")} for people with a code for access, {event.counts?.allotmentRemaining}{" "}
          are left.
        </p>
      )}
      <Said {...act} />
      <Table<Code>
        {...{ title: "Codes", of: codes, columns: columns(event), none: "No codes yet.", keyOf: ({ id }) => id }}
      />
      <ul>
        {codes.value?.map((code) => (
          <Acts key={code.id} {...{ code, path, done }} />
        ))}
      </ul>
      <div class="buttons">
        <FormAct
          {...{
            text: "New code",
            sure: "Create it",
            schema: "NewCode",
            draft: `code/${event.id}/${event.year}`,
            look,
            done,
          }}
          {...{ isMain: true, send: (body) => change("POST", path, body) }}
          says="It is valid at once, or from its date. A code for partners: from then on, partners need one."
        />
      </div>
    </>
  );
}

export const CodesPage = ofEvent(Codes);
