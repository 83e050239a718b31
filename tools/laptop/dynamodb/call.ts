/** A request to the table engine, as its callers see it. */

/** One request. */
export interface Call {
  /** The access key that signed the request; every function has its own. */
  readonly accessKeyId: string;
  readonly operation: string;
  readonly tables: readonly string[];
  readonly request: Readonly<Record<string, unknown>>;
}

/** One request, after it was answered. */
export interface AnsweredCall extends Call {
  /** Read and write units as AWS would bill them; 0 for a refused request, whose answer does not contain them. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The name of the error, and the codes of a cancelled transaction; absent for a request that succeeded. */
  readonly refusal?: string;
}
