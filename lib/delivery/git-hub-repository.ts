/** The repository on GitHub, as `delivery.gitHub` of lib/stages.ts names it. */

export interface Repository {
  readonly owner: string;
  readonly name: string;
  /** GitHub's ids of owner and repository, which stay when their names change: both or none. */
  readonly ownerId?: string;
  readonly id?: string;
}

/** Names of GitHub have no `@`. https://docs.github.com/en/actions/reference/security/oidc#immutable-subject-claims */
const owner = "[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}";
const name = "(?!\\.{1,2}(?:@|$))[\\w.-]{1,100}";
const form = new RegExp(`^(?<owner>${owner})(?:@(?<ownerId>\\d+))?/(?<name>${name})(?:@(?<id>\\d+))?$`);

/** An address to clone or to read from: https, ssh, or without a protocol. */
const address = /^(?:\w+:\/\/)?(?:git@)?[\w-]+(?:\.[\w-]+)+[:/]([\w-]+\/[\w.-]+?)(?:\.git)?\/?$/;

/** @returns why no token of GitHub names a repository so, as the end of a sentence; undefined: it is a name of one */
export function repositoryProblem(gitHub: string): string | undefined {
  if (gitHub.trim() === "") return "is empty";
  const [, path] = address.exec(gitHub) ?? [];
  if (path !== undefined) return `is an address; write "${path}", with the ids if the repository's tokens have them`;
  const { ownerId, id } = form.exec(gitHub)?.groups ?? {};
  if (!form.test(gitHub)) return "is neither <owner>/<repository> nor <owner>@<its id>/<repository>@<its id>";
  return (ownerId === undefined) === (id === undefined) ? undefined : "has one id; tokens have both or none";
}

/**
 * @param gitHub for which `repositoryProblem` is undefined
 * @returns its parts
 */
export const repositoryOf = (gitHub: string): Repository => ({ ...form.exec(gitHub)?.groups }) as unknown as Repository;
