import { useLocation } from "preact-iso";
import type { components } from "../../paths.ts";
import { Said, Title, useAct, useLoaded } from "../../shared/parts.tsx";
import { deskPages } from "../addresses.ts";
import { change, readTagged } from "../calls.ts";
import { useFollowing } from "../following.tsx";
import { FormAct } from "../form-act.tsx";
import { type DoneProps, moment, sayer } from "../parts.tsx";
import { column, figure, minor, Table, when } from "../table.tsx";
import { OpenRecord } from "./record.tsx";

type Prize = components["schemas"]["Prize"];

const look = {
  labels: { price: "Price in points", imageHash: "Image" },
  hints: { id: "Empty: it is made.", price: "", name: "" },
};
const says = "People see it at once.";
const pathOf = (id: string) => `/prizes/${encodeURIComponent(id)}`;

const linksText = (links: Prize["links"]): string =>
  (Array.isArray(links) ? links : Object.entries(links ?? {}).map(([name, url]) => `${name}: ${url}`)).join(", ");

/** Links by name stay as they are: the form has lists only. */
const isNamed = ({ links }: Prize): boolean => links !== undefined && !Array.isArray(links);

const columns = [
  column<Prize>("Name", ({ name }) => name),
  figure<Prize>("Points", ({ price }) => price),
  column<Prize>("Id", (prize) => prize.id, minor),
  when<Prize>("Changed", ({ updatedAt }) => updatedAt),
];

function OpenPrize({ id, done }: DoneProps & { readonly id: string }) {
  const record = useLoaded(() => readTagged<Prize>(pathOf(id)), [id]);
  const named = record.value && isNamed(record.value.value);
  return (
    <OpenRecord<Prize>
      {...{ record, done, titleOf: ({ name }) => name, back: deskPages.prizes, schema: "NewPrize", says }}
      {...{ draft: `prize/${id}`, look: { ...look, hidden: ["id", ...(named ? ["links"] : [])] } }}
      valuesOf={({ price, imageHash, links, updatedAt }) => [
        ["Price", `${price} points`],
        ["Image", imageHash],
        ["Links", linksText(links)],
        ["Changed", moment(updatedAt)],
      ]}
      removal="It is no longer offered. What was exchanged for it stays."
      path={pathOf(id)}
    />
  );
}

/** What points buy. */
export function PrizesPage() {
  const { id } = useLocation().query;
  const act = useAct();
  const prizes = useFollowing<Prize>("/prizes");
  const done = sayer(act, prizes);
  return (
    <>
      <Title text="Prizes" />
      <p>What people can get for their points. The exchange itself happens elsewhere.</p>
      <Said {...act} />
      {id && <OpenPrize key={id} {...{ id, done }} />}
      <Table<Prize>
        {...{ title: "Prizes", of: prizes, columns, none: "No prizes yet.", keyOf: (prize) => prize.id }}
        pageOf={(prize) => `${deskPages.prizes}?id=${encodeURIComponent(prize.id)}`}
      />
      <div class="buttons">
        <FormAct
          {...{ text: "Offer a prize", sure: "Offer it", says, schema: "NewPrize", draft: "prize", look, done }}
          {...{ isMain: true, send: (body) => change("POST", "/prizes", body) }}
        />
      </div>
    </>
  );
}
