/** The prose of the reference, from sections of `docs/contract.md`. */
import { readFileSync } from "node:fs";

/** The sections of a page by heading, without the marks of the specification's requirements. */
function sectionsOf(page: string): ReadonlyMap<string, string> {
  const sections = page.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [heading = "", ...lines] = section.split("\n");
      return [
        heading.trim(),
        withoutLinks(lines.join("\n"))
          .replaceAll(/\s\(spec\)/g, "")
          .trim(),
      ];
    }),
  );
}

/** Removes links to pages that readers of the reference do not have. */
const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");

const contract = (): ReadonlyMap<string, string> =>
  sectionsOf(readFileSync(new URL("../../docs/contract.md", import.meta.url), "utf8"));

/** The sections about all routes. */
const general = [
  "Conventions",
  "Errors",
  "Idempotent requests",
  "Dates",
  "Lists and pages",
  "Conditional edits",
  "Access",
];

/** The introduction, in Markdown. */
export function introduction(): string {
  const sections = contract();
  const first =
    "The backend of the club: events, registrations with a waitlist, check-in, members, payments, mails, prizes and " +
    "the investment game. An object of an answer has the fields that are shown here and no other ones. An object of " +
    "a request may have more, unless its operation says that they are refused: the service ignores them.";
  return [first, ...general.map((heading) => `## ${heading}\n\n${sectionIn(sections, heading)}`)].join("\n\n");
}

/** A group of routes: its name, and the headings of its sections. */
const groups: Readonly<Record<string, { readonly name: string; readonly headings: readonly string[] }>> = {
  events: { name: "Events", headings: ["Events"] },
  calendar: { name: "Calendar", headings: ["Calendar"] },
  images: { name: "Image upload", headings: ["Image upload"] },
  feedback: { name: "Feedback", headings: ["Feedback"] },
  registrations: {
    name: "Registrations",
    headings: ["Registrations", "Moves of a registration", "Check-in", "Leaderboard"],
  },
  door: { name: "Door", headings: ["The door"] },
  users: { name: "Users", headings: ["Users"] },
  members: { name: "Members", headings: ["Members"] },
  profiles: { name: "Profiles", headings: ["Profiles"] },
  payments: { name: "Payments", headings: ["Payments"] },
  "payment-webhook": { name: "Payment webhook", headings: ["Payment webhook"] },
  emails: { name: "Emails", headings: ["Emails"] },
  prizes: { name: "Prizes", headings: ["Prizes"] },
  btx: { name: "Investment game", headings: ["Investment game"] },
};

/** The name of the group of a function's routes. @throws Error when there is none */
export function tagOf(capability: string): string {
  const group = groups[capability];
  if (!group) throw new Error(`The routes of ${capability} have no group in the reference (tools/reference/prose.ts).`);
  return group.name;
}

/** The groups of routes in the order of the contract. */
export function tags(): { name: string; description: string }[] {
  const sections = contract();
  return Object.values(groups).map(({ name, headings }) => ({
    name,
    description: headings
      .map((heading) => (heading === name ? "" : `### ${heading}\n\n`) + sectionIn(sections, heading))
      .join("\n\n"),
  }));
}

function sectionIn(sections: ReadonlyMap<string, string>, heading: string): string {
  const section = sections.get(heading);
  if (section === undefined) throw new Error(`docs/contract.md has no section ${heading}.`);
  return section;
}
