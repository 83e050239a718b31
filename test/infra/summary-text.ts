/** The summary of a stage as text: what resources have in common once, and what two stages have in different ways. */

/** A resource and its settings. */
export interface Block {
  readonly name: string;
  readonly settings: ReadonlyMap<string, string>;
}

/** One line of a summary. The lines of two stages that have the same place and key speak of the same value. */
export interface SummaryLine {
  /** The heading over the line. */
  readonly place: string;
  readonly key: string;
  readonly text: string;
}

/** How the resources of one type are shown. */
export interface Layout {
  readonly title: string;
  /** Settings that each resource shows, and shows first, even if nearly all have the same value. */
  readonly always?: readonly string[];
  /** One line for each resource. */
  readonly short?: true;
}

/** Settings that all blocks but at most one have, with the value that more than half of the blocks have. */
function inCommon(blocks: readonly Block[], always: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  if (blocks.length < 3) return found;
  for (const key of new Set(blocks.flatMap(({ settings }) => [...settings.keys()]))) {
    const values = blocks.flatMap(({ settings }) => settings.get(key) ?? []);
    if (always.includes(key) || values.length < blocks.length - 1) continue;
    const shared = values.find((value) => values.filter((other) => other === value).length > blocks.length / 2);
    if (shared !== undefined) found.set(key, shared);
  }
  return found;
}

/** The lines about resources of one type. */
export function linesOf({ title, always = [], short }: Layout, blocks: readonly Block[]): SummaryLine[] {
  const shared = inCommon(blocks, always);
  const place = `${title}: each one, unless its own lines say otherwise`;
  return [
    ...[...shared].map(([key, value]) => ({ place, key, text: `${key}: ${value}` })),
    ...blocks.flatMap(({ name, settings }): SummaryLine[] => {
      const own = [...new Set([...always, ...settings.keys(), ...shared.keys()])]
        .filter((key) => settings.get(key) !== shared.get(key))
        .map((key) => ({ key, value: settings.get(key) ?? "none" }));
      if (short) {
        const columns = own.map(({ key, value }) => (always.includes(key) ? value : `${key}: ${value}`));
        return [{ place: title, key: name, text: [name, ...columns].join(" | ") }];
      }
      if (own.length === 0) return [{ place: `${title}: ${name}`, key: "", text: "as each one" }];
      return own.map(({ key, value }) => ({ place: `${title}: ${name}`, key, text: `${key}: ${value}` }));
    }),
  ];
}

/** Texts under the headings of their places. */
function underHeadings(lines: readonly Pick<SummaryLine, "place" | "text">[]): string {
  return lines
    .map(({ place, text }, index) => {
      const isNew = place !== lines[index - 1]?.place;
      return `${isNew && index > 0 ? "\n" : ""}${isNew ? `${place}\n` : ""}  ${text}\n`;
    })
    .join("");
}

/** The whole summary. */
export const summaryText = (summary: readonly SummaryLine[]): string => underHeadings(summary);

/** What is in only one of two summaries: lines of the first with a minus, lines of the second with a plus. */
export function differenceText(first: readonly SummaryLine[], second: readonly SummaryLine[]): string {
  const at = ({ place, key }: SummaryLine): string => `${place}\n${key}`;
  const before = new Map(first.map((line) => [at(line), line.text]));
  const after = new Map(second.map((line) => [at(line), line.text]));
  const both = new Map([...first, ...second].map((line) => [at(line), line.place]));
  const places = [...new Set(both.values())];
  const changed = [...both].filter(([key]) => before.get(key) !== after.get(key));
  return underHeadings(
    places.flatMap((place) =>
      changed
        .filter(([, where]) => where === place)
        .flatMap(([key]) => [
          ...(before.has(key) ? [{ place, text: `- ${before.get(key)}` }] : []),
          ...(after.has(key) ? [{ place, text: `+ ${after.get(key)}` }] : []),
        ]),
    ),
  );
}
