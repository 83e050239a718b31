/** Maps a prize of the previous backend. Pure. */
import { NewPrize as schema } from "#api/prizes/schemas.ts";
import { type NewPrize, newPrize, type PrizeRecord } from "#domain/prizes/prize.ts";
import { fitTo } from "./fit.ts";
import { eventIdOf, steadyUlid } from "./keys.ts";
import { type Change, isMap, jsonOf, type Mapped, Reading, type Row } from "./reading.ts";

const fit = fitTo<NewPrize>(schema);

export const prizeName = (row: Row): string | undefined =>
  typeof row.id === "string" || typeof row.id === "number" ? eventIdOf(String(row.id)) : undefined;

export function mapPrize(row: Row, { timeZone }: { readonly timeZone: string }): Mapped<PrizeRecord> {
  const changes: Change[] = [];
  const reading = new Reading(row, changes);
  const given = reading.raw("id");
  const id = prizeName(row);
  if (id === undefined) return { refused: "the prize has no usable id", changes };
  if (id !== given) reading.note("id", "an id of letters, digits, - and _", given, id);
  const links = reading.raw("links");
  const read = typeof links === "string" ? jsonOf(links) : links;
  if (read !== undefined && read !== null && !isMap(read) && !Array.isArray(read)) {
    reading.note("links", "left out: neither a list nor a map", links, null);
  }
  const fields = {
    id,
    name: reading.text("name"),
    price: reading.whole("price", 0, 1_000_000_000),
    imageHash: reading.text("imageHash", { most: 500 }),
    links: isMap(read) || Array.isArray(read) ? read : undefined,
  };
  const createdAt = reading.time("createdAt", timeZone) ?? reading.time("updatedAt", timeZone) ?? 0;
  const updatedAt = reading.time("updatedAt", timeZone) ?? createdAt;
  reading.leftOut();
  const fitted = fit(fields, changes);
  if ("refused" in fitted) return { refused: fitted.refused, changes };
  const prize = newPrize(fitted.value, steadyUlid(createdAt, `prize ${id}`), createdAt);
  return { record: { ...prize, updatedAt }, changes };
}
