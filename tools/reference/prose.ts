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

/** The introduction, in Markdown, with the sections about all routes: those behind the table of routes. */
export function introduction(): string {
  const sections = contract();
  const first =
    "The backend of the club: events, registrations with a waitlist, check-in, members, payments, mails, prizes and " +
    "the investment game. An object of an answer has the fields that are shown here and no other ones. An object of " +
    "a request may have more, unless its operation says that they are refused: the service ignores them.";
  const headings = [...sections.keys()];
  const general = headings.slice(headings.indexOf("Routes") + 1, headings.indexOf("Events"));
  return [first, ...general.map((heading) => `## ${heading}\n\n${sectionIn(sections, heading)}`)].join("\n\n");
}

/**
 * The groups of routes in the order of the contract, by function: the headings of its sections, unless its name is the only
 * one, and what its routes are about. The answer is about the first one; each of them may be not found.
 */
const groups: Readonly<Record<string, Group>> = {
  events: { name: "Events", about: ["Event"] },
  calendar: { name: "Calendar", about: ["Calendar"] },
  pages: { name: "Pages", about: ["Event"] },
  images: { name: "Image upload", about: [] },
  feedback: { name: "Feedback", about: ["Event"] },
  registrations: {
    name: "Registrations",
    headings: ["Registrations", "Moves of a registration", "Check-in", "Leaderboard"],
    about: ["Registration", "Event"],
  },
  door: { name: "Door", headings: ["The door"], about: ["Event"] },
  users: { name: "Users", about: ["User"] },
  members: { name: "Members", about: ["Member"] },
  profiles: { name: "Profiles", about: ["Profile"] },
  payments: { name: "Payments", about: ["Payment"] },
  "payment-webhook": { name: "Payment webhook", about: [] },
  emails: { name: "Emails", about: ["Template"] },
  prizes: { name: "Prizes", about: ["Prize"] },
  btx: { name: "Investment game", about: ["Project"] },
};

interface Group {
  readonly name: string;
  readonly headings?: readonly string[];
  readonly about: readonly string[];
}

/** The group of a function's routes. @throws Error when there is none */
function groupOf(capability: string): Group {
  const group = groups[capability];
  if (!group) throw new Error(`The routes of ${capability} have no group in the reference (tools/reference/prose.ts).`);
  return group;
}

/** The name of the group of a function's routes. @throws Error when there is none */
export const tagOf = (capability: string): string => groupOf(capability).name;

/** What a function's routes are about. @throws Error when it has no group */
export const usualSubjects = (capability: string): readonly string[] => groupOf(capability).about;

/** The groups of routes in the order of the contract. */
export function tags(): { name: string; description: string }[] {
  const sections = contract();
  return Object.values(groups).map(({ name, headings = [name] }) => ({
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
