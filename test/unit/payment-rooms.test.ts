/** The rooms of payments import what `lambda/domain/payments/README.md` says, and nothing else. */
import { expect, test } from "@jest/globals";
import { textOf } from "../../tools/upkeep/repository/files.ts";
import { arrowsOf, productSources } from "../../tools/upkeep/repository/imports.ts";

const area = "lambda/domain/payments";

/** A row: room, contents, imports. */
const rows = [...textOf(`${area}/README.md`).matchAll(/^\| `([\w-]+)` \|.*\|([^|]*)\|$/gm)];
const said = rows.map(([, room, imports = ""]) => [room, [...imports.matchAll(/`([\w-]+)`/g)].map(([, name]) => name)]);

test("each room imports only from the rooms of its row", () => {
  const room = (path: string) => path.match(`^${area}/([\\w-]+)/`)?.[1];
  const arrows = arrowsOf(productSources(), room);
  const rooms = new Set(Object.keys(productSources()).flatMap((path) => room(path) ?? []));
  const found = [...rooms].map((from) => [
    from,
    arrows
      .filter((arrow) => arrow.from === from)
      .map(({ to }) => to)
      .sort(),
  ]);
  expect(said.sort()).toEqual(found.sort());
  expect(arrows.length).toBeLessThanOrEqual(18);
});
