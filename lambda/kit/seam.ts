/** What tests replace, to show that it is needed. Nothing else of the product is replaced by the model tests. */
export const seam = {
  /** The token that a transaction is sent with. */
  tokenOf: (token: string): string => token,
  /** Does what is due behind a commit. */
  followUp: <T>(_name: string, run: () => Promise<T>): Promise<T | undefined> => run(),
  /** The deadline that bounds the tries of one step, in milliseconds of `performance.now()`. */
  deadlineOf: (deadline: number): number => deadline,
};
