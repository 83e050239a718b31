/** One change of a parsed update expression, as dynalite reads it. */

export type Path = readonly (string | number)[];

/** The value that an attribute is set to: the path of another attribute, a value, or a computation. */
export type Source = Path | { readonly type?: string; readonly name?: string; readonly args?: readonly Source[] };

export interface Section {
  readonly type: "set" | "add" | "delete" | "remove";
  readonly path: Path;
  readonly val?: Source;
}
