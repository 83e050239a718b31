/**
 * The event whose game a request means; without `eventId` it is `kickstart` (`docs/contract.md`, "Investment game").
 */
export const gameEventOf = ({ eventId = "kickstart" }: { readonly eventId?: string }): string => eventId;
