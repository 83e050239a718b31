/** The event whose game is meant when none is named (`contract.md`, section 7). */
export const gameEventOf = ({ eventId = "kickstart" }: { readonly eventId?: string }): string => eventId;
