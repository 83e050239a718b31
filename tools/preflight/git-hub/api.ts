/** GitHub's REST API, read-only. https://docs.github.com/en/rest */
import { type Finding, problem } from "../../kit/finding.ts";
import type { Environment } from "../../kit/region.ts";

export const giveToken = "export GH_TOKEN=$(gh auth token), of a person who may read the repository's settings.";

/** GitHub has answered neither with the value nor that there is none. */
class GitHubRefusal extends Error {
  readonly status: number;
  readonly isRateLimit: boolean;

  constructor(response: Response, message: string) {
    super(message);
    this.status = response.status;
    // https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
    this.isRateLimit = response.status === 429 || response.headers.get("x-ratelimit-remaining") === "0";
  }

  /** Whether the token has no permission, or the repository's plan no such setting. */
  get isForbidden(): boolean {
    return this.status === 403 && !this.isRateLimit;
  }
}

export class GitHub {
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** The variables are those of GitHub's command line and of its runners. A public repository needs no token for most. */
  constructor({ GH_TOKEN, GITHUB_TOKEN, GITHUB_API_URL = "https://api.github.com" }: Environment) {
    const token = GH_TOKEN || GITHUB_TOKEN;
    this.#address = GITHUB_API_URL;
    this.#headers = {
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    };
  }

  /**
   * Follows GitHub from a former name of a repository to its present one.
   *
   * @returns undefined: GitHub shows nothing there. It says the same of what the token may not see.
   * @throws GitHubRefusal, or the error of `fetch`
   */
  async get<T>(path: string): Promise<T | undefined> {
    const response = await fetch(`${this.#address}${path}`, {
      headers: this.#headers,
      signal: AbortSignal.timeout(10_000),
    });
    const body = (await response.json().catch(() => ({}))) as T & { message?: string };
    if (response.ok) return body;
    if (response.status === 404) return undefined;
    throw new GitHubRefusal(response, body.message ?? response.statusText);
  }

  /** As `get`, and undefined also for what GitHub refuses to this token or plan. */
  async getIfAllowed<T>(path: string): Promise<T | undefined> {
    return await this.get<T>(path).catch((error: unknown) => {
      if (error instanceof GitHubRefusal && error.isForbidden) return undefined;
      throw error;
    });
  }
}

/** @returns the finding of a question that failed */
export function gitHubFailure(error: unknown): Finding {
  if (!(error instanceof GitHubRefusal)) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return problem(`GitHub does not answer (${cause?.code ?? message}).`, "check the network, and try again.");
  }
  if (error.status === 401) return problem("GitHub does not accept the token.", giveToken);
  if (error.isRateLimit) return problem("GitHub answers no more requests for now.", `${giveToken} Or wait an hour.`);
  return problem(`cannot be checked: GitHub says ${error.status}, ${error.message}`, giveToken);
}
