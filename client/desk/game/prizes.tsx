import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { Said, Title, useAct, useLoaded, Waiting } from "../../shared/parts.tsx";
import { deskPages } from "../addresses.ts";
import { change, readAll, readTagged } from "../calls.ts";
import { FormAct } from "../money/form-act.tsx";
import { column, figure, minor, when } from "../money/lists.tsx";
import { moment, Values } from "../parts.tsx";
import { Table } from "../table.tsx";
import { OpenRecord } from "./record.tsx";

type Prize = components["schemas"]["Prize"];

const look = {
  labels: { price: "Price in points", imageHash: "Image" },
  hints: { id: "Empty: it is made.", price: "", name: "" },
};
const pathOf = (id: string) => `/prizes/${encodeURIComponent(id)}`;
const pageOf = ({ id }: Prize) => `${deskPages.prizes}?id=${encodeURIComponent(id)}`;

const linksText = (links: Prize["links"]): string =>
  (Array.isArray(links) ? links : Object.entries(links ?? {}).map(([name, url]) => `${name}: ${url}`)).join(", ");

/** Links by name stay as they are: the form has lists only. */
const isNamed = ({ links }: Prize): boolean => links !== undefined && !Array.isArray(links);

interface OpenProps {
  readonly id: string;
  changed(said: string): unknown;
  gone(said: string): unknown;
}

function OpenPrize({ id, ...after }: OpenProps) {
  const record = useLoaded(() => readTagged<Prize>(pathOf(id)), [id]);
  const named = record.value && isNamed(record.value.value);
  return (
    <OpenRecord<Prize>
      {...{ ...after, record, titleOf: ({ name }) => name, back: deskPages.prizes }}
      edit={{
        ...{ schema: "NewPrize", says: "People see it at once.", draft: `prize/${id}`, storedOf: (prize) => prize },
        look: { ...look, hidden: ["id", ...(named ? ["links"] : [])] },
      }}
      removal="It is no longer offered. What was exchanged for it stays."
      save={(_, changes, tag) => change("PATCH", pathOf(id), changes, tag)}
      remove={(_, tag) => change("DELETE", pathOf(id), undefined, tag)}
    >
      {(prize) => (
        <Values
          rows={[
            ["Price", `${prize.price} points`],
            ["Image", prize.imageHash],
            ["Links", linksText(prize.links)],
            ["Changed", moment(prize.updatedAt)],
          ]}
        />
      )}
    </OpenRecord>
  );
}

/** What points buy. */
export function PrizesPage() {
  const { query, route } = useLocation();
  const { id } = query as { readonly id?: string };
  const act = useAct();
  const prizes = useLoaded(() => readAll("/prizes", {}, (rows: readonly Prize[]) => rows), []);
  const changed = (said: string) => {
    act.say(said);
    void prizes.reload();
  };
  const gone = (said: string) => {
    changed(said);
    route(deskPages.prizes);
  };
  return (
    <>
      <Title text="Prizes" />
      <p>What people can get for their points. The exchange itself happens elsewhere.</p>
      <Said {...act} />
      {id && <OpenPrize key={id} {...{ id, changed, gone }} />}
      <Waiting of={prizes} />
      {prizes.value && (
        <Table<Prize>
          {...{ title: "Prizes", rows: prizes.value, none: "No prizes yet.", keyOf: (prize) => prize.id, pageOf }}
          columns={[
            column("Name", ({ name }) => name),
            figure("Points", ({ price }) => price),
            column("Id", (prize) => prize.id, minor),
            when("Changed", ({ updatedAt }) => updatedAt),
          ]}
        />
      )}
      <div class="buttons">
        <FormAct
          {...{ text: "Offer a prize", title: "Offer a prize", sure: "Offer it", schema: "NewPrize", draft: "prize" }}
          {...{ says: "People see it at once.", isMain: true, look, done: changed }}
          send={(body) => change("POST", "/prizes", body)}
        />
      </div>
    </>
  );
}
