/** The two addresses of a new email. Pure. */
export const sides = ["former", "next"] as const;
export type Side = (typeof sides)[number];
