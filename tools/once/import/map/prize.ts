/** Maps a prize of the previous backend. Pure. */
import { NewPrize as schema } from "#api/prizes/schemas.ts";
import { type NewPrize, newPrize, type PrizeRecord } from "#domain/prizes/prize.ts";
import { fitTo } from "./fit.ts";
import { eventIdOf, steadyUlid } from "./keys.ts";
import { isMap, jsonOf, type Mapped, mapped, Refused, type Row } from "./reading.ts";

const fit = fitTo<NewPrize>(schema);

export const prizeName = (row: Row): string | undefined =>
  typeof row.id === "string" || typeof row.id === "number" ? eventIdOf(String(row.id)) : undefined;

export const mapPrize = (row: Row, { timeZone }: { readonly timeZone: string }): Mapped<PrizeRecord> =>
  mapped(row, (reading) => {
    const given = reading.raw("id");
    const id = prizeName(row);
    if (id === undefined) throw new Refused("the prize has no usable id");
    if (id !== given) reading.note("id", "an id of letters, digits, - and _", given, id);
    const links = reading.raw("links");
    const read = typeof links === "string" ? jsonOf(links) : links;
    const isTaken = isMap(read) || Array.isArray(read);
    if (!isTaken && read !== undefined && read !== null) {
      reading.note("links", "left out: neither a list nor a map", links, null);
    }
    const fields = {
      id,
      name: reading.text("name"),
      price: reading.whole("price", 0, 1_000_000_000),
      imageHash: reading.text("imageHash", { most: 500 }),
      links: isTaken ? read : undefined,
    };
    const { createdAt, updatedAt } = reading.times(timeZone);
    reading.leftOut();
    return { ...newPrize(fit(fields, reading), steadyUlid(createdAt, `prize ${id}`), createdAt), updatedAt };
  });
