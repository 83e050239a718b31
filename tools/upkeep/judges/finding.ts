/** What a judge finds, and which of it is no fault. */

export type Judge = "cfn-lint" | "checkov" | "schemathesis";

export interface Finding {
  readonly judge: Judge;
  /** The judge's name of its rule or check. */
  readonly rule: string;
  /** A template and a path in it, or an operation: `PATCH /prizes/{id}`. */
  readonly where: string;
  /** The judge's sentence, or the answer that it finds wrong: status and body. */
  readonly says: string;
  /** The command that repeats it. */
  readonly repeat?: string;
}

/** Findings that are no faults. All texts that are given must fit. */
export interface FalseAlarm {
  readonly judge: Judge;
  readonly rule: string;
  readonly where?: RegExp;
  readonly says?: RegExp;
  readonly reason: string;
}

const fits = ({ judge, rule, where, says }: FalseAlarm, found: Finding): boolean =>
  judge === found.judge &&
  rule === found.rule &&
  (where?.test(found.where) ?? true) &&
  (says?.test(found.says) ?? true);

/** What remains of findings without the false alarms. */
export const faultsIn = (findings: readonly Finding[], alarms: readonly FalseAlarm[]): Finding[] =>
  findings.filter((found) => !alarms.some((alarm) => fits(alarm, found)));

/** The false alarms that none of the findings is. */
export const needless = (findings: readonly Finding[], alarms: readonly FalseAlarm[]): FalseAlarm[] =>
  alarms.filter((alarm) => !findings.some((found) => fits(alarm, found)));

/** One of each kind, with how often it was found. A message may name a value of the request. */
export function kindsOf(findings: readonly Finding[]): (Finding & { readonly times: number })[] {
  const kinds = new Map<string, Finding & { times: number }>();
  for (const found of findings) {
    const kind = `${found.rule} ${found.where} ${found.says.slice(0, 60)}`;
    const known = kinds.get(kind) ?? { ...found, times: 0 };
    kinds.set(kind, known);
    known.times += 1;
  }
  return [...kinds.values()];
}

/** A finding for people. */
export const linesOf = ({ judge, rule, where, says, repeat, times }: Finding & { readonly times: number }): string =>
  [`${judge}: ${rule}, ${where}${times > 1 ? `, ${times} times` : ""}`, `  ${says}`, ...(repeat ? [`  ${repeat}`] : [])]
    .map((line) => line.replaceAll("\n", " "))
    .join("\n");
