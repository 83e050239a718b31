/** The pages where tables of people are taken: of an event, and of members and accounts. */
import { useState } from "preact/hooks";
import { Title } from "../../shared/parts.tsx";
import { PeopleTabs } from "../accounts/accounts.tsx";
import { deskPages, eventPath } from "../addresses.ts";
import { read } from "../calls.ts";
import { type EventProps, ofEvent } from "../event-frame.tsx";
import { type DeskEvent, Select } from "../parts.tsx";
import { FromTable } from "./from-table.tsx";

const OfEvent = ({ event }: EventProps) => (
  <>
    <p>
      Each row is registered as if you did it: it gets a seat while one is free, else a place in line, also when
      registration is closed. First you see what would happen.
    </p>
    <FromTable
      {...{ purpose: "registrations", event }}
      readEvent={() => read<DeskEvent>(eventPath(event), { count: true })}
    />
  </>
);

export const EventTablePage = ofEvent(OfEvent);

const choices = [["members", "Members"] as const, ["accounts", "Accounts only"] as const];

/** An account of a table is the record of a person, who signs up with the same email. */
export function PeopleTablePage() {
  const [purpose, setPurpose] = useState<"members" | "accounts">("members");
  return (
    <>
      <Title text="People from a table" />
      <PeopleTabs here={deskPages.table} />
      <Select
        {...{ id: "purpose", label: "What the rows become", value: purpose, choices }}
        hint="Members get account, membership and profile without a payment, and a mail. Accounts get no mail. Everyone sets a password by the sign-up."
        set={(value) => setPurpose(value as typeof purpose)}
      />
      <FromTable key={purpose} purpose={purpose} />
    </>
  );
}
