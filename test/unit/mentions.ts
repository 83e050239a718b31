/** What documents and comments name: files, links and headings, and which of them lead nowhere. Pure. */
import { posix } from "node:path";

/** Text by path, from the project's root: Markdown as it is, source files whole. */
export type Texts = Readonly<Record<string, string>>;

/** Folders that are made by a command or a run, not kept in the repository. */
const made = /^(?:dist|cdk\.out[^/]*|\.local|\.cache|coverage|node_modules)(?:\/|$)/;

const isMarkdown = (path: string): boolean => path.endsWith(".md");

/** The comments of a source file, each on one line. A comment begins a line or follows white space. */
function commentsOf(source: string): string {
  const comments = source.matchAll(/(?:^|\s)(\/\*[\s\S]*?\*\/|\/\/ .*(?:\n\s*\/\/ .*)*)/g);
  return [...comments].map(([, text = ""]) => text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/)?\s*/g, " ")).join("\n");
}

/** Mentions of documents in the texts of a program, such as an alarm's description. */
const documentsIn = (source: string): string =>
  [...source.matchAll(/\bdocs\/[\w-]+\.md(?:, "[^"\n]+")?/g)].map(([text]) => text).join("\n");

const withoutFences = (text: string): string => text.replaceAll(/^\s*```[\s\S]*?^\s*```/gm, "");

/** The prose of a document without its fences, or the comments of a source file, in one line for each paragraph or comment. */
export const proseOf = (path: string, text: string): string =>
  isMarkdown(path) ? withoutFences(text).replaceAll(/(?<!\n)\n(?!\n)/g, " ") : commentsOf(text);

/** The headings of a document, without numbers. */
const headingsOf = (document: string): string[] =>
  [...withoutFences(document).matchAll(/^#{1,6}\s+(?:\d+\.\s+)?(.+?)\s*$/gm)].map(([, heading = ""]) => heading);

/** The anchors of a document's headings, as GitHub makes them. */
export const anchorsOf = (document: string): string[] =>
  [...withoutFences(document).matchAll(/^#{1,6}\s+(.+?)\s*$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );

/** Names of files. What stands behind a placeholder, a glob or a host is no name. */
const fileName = /(?<![\w./<>{}*…$@:-])#?(?:[\w.-]+\/)*[\w.-]*\w\.(?:ts|mjs|cjs|md|ya?ml|snap|ics)\b(?![\w*{</-])/g;
/** JSON files by their path: a bare name may be a file of another program. */
const jsonName = /(?<![\w./<>{}*…$@:-])(?:[\w.-]+\/)+[\w.-]+\.json\b/g;
/** Folders, in backticks, that begin with a folder of the root or a floor of `lambda/`. */
const folderName = /`(#?(?:lambda|lib|bin|bench|test|docs|api|consumers|domain|outbox|kit)\/[\w./-]*)`/g;

const namesIn = (text: string): string[] => [
  ...[...text.matchAll(fileName)].map(([name]) => name),
  ...[...text.matchAll(jsonName)].map(([name]) => name),
  ...[...text.matchAll(folderName)].map(([, name = ""]) => name),
];

/** The file or folder that a text means. A short name means each file whose path ends with it. */
function found(name: string, from: string, paths: readonly string[]): string | undefined {
  const path = posix.normalize(name.replace(/^#/, "lambda/")).replace(/\/$/, "");
  const beside = posix.join(posix.dirname(from), path);
  return [path, beside].find((each) => paths.includes(each)) ?? paths.find((each) => each.endsWith(`/${path}`));
}

/** Documents with headings behind them: `docs/contract.md`, "Lists and pages" and "Access". */
const headingMention = /([\w./-]+\.md)`?\)?(?:,|:| under)\s+("[^"]+"(?:(?:,| and| or|, and)\s+"[^"]+")*)/g;
/** A heading of the same document. */
const ownHeading = /(?<!\.md`?\)?[,:]?\s)\b(?:[Ss]ee|under)\s+"([^"]+)"/g;
const numberMention = /([\w./-]+\.md)`?\)?,?\s+\(?sections?\s+\d/g;
const link = /\[[^\]]*\]\(([^)\s]+)\)/g;

/** What a text names that is not there. `files` are all files of the repository. */
export function wrongMentions(texts: Texts, files: readonly string[]): string[] {
  const folders = files.flatMap((file) => {
    const parts = file.split("/");
    return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join("/"));
  });
  const paths = [...new Set([...files, ...folders])];

  const wrongIn = (from: string, text: string): string[] => {
    const prose = withoutFences(text).replaceAll(/\s+/g, " ");
    const headingWrong = (name: string, heading: string): boolean => {
      const document = texts[found(name, from, paths) ?? ""];
      return document !== undefined && !headingsOf(document).includes(heading);
    };
    const linkWrong = (target: string): boolean => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? from : posix.join(posix.dirname(from), path).replace(/\/$/, "");
      if (!paths.includes(file)) return true;
      return anchor !== undefined && !anchorsOf(texts[file] ?? "").includes(anchor);
    };
    const own = isMarkdown(from) ? [...prose.matchAll(ownHeading)] : [];
    const numbers = isMarkdown(from) ? [...prose.matchAll(/(?<!RFC \d+ \(|RFC \d+, )\bsection (\d+)/g)] : [];
    const links = isMarkdown(from) ? [...prose.replaceAll(/`[^`]*`/g, "").matchAll(link)] : [];
    return [
      ...namesIn(text)
        .filter((name) => !made.test(name) && found(name, from, paths) === undefined)
        .map((name) => `no file ${name}`),
      ...[...prose.matchAll(headingMention)].flatMap(([, name = "", quoted = ""]) =>
        [...quoted.matchAll(/"([^"]+)"/g)]
          .map(([, heading = ""]) => heading)
          .filter((heading) => headingWrong(name, heading))
          .map((heading) => `no heading "${heading}" in ${name}`),
      ),
      ...own
        .map(([, heading = ""]) => heading)
        .filter((heading) => headingWrong(from, heading))
        .map((heading) => `no heading "${heading}" here`),
      ...[...prose.matchAll(numberMention)].map(([, name]) => `a section of ${name} by its number`),
      ...numbers
        .map(([, number]) => number)
        .filter((number) => !new RegExp(`^#+ ${number}\\. `, "m").test(text))
        .map((number) => `no section ${number} here`),
      ...links
        .map(([, target = ""]) => target)
        .filter(linkWrong)
        .map((target) => `no link to ${target}`),
    ];
  };

  return Object.entries(texts).flatMap(([from, text]) => {
    const read = isMarkdown(from) ? text : `${commentsOf(text)}\n${documentsIn(text)}`;
    return [...new Set(wrongIn(from, read))].map((wrong) => `${from}: ${wrong}`);
  });
}
