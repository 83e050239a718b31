/** The link to unsubscribe from campaigns. An admin reads the mail and suppresses the address. */
export const unsubscribeUrl = (address: string): string => `mailto:${address}?subject=unsubscribe`;
