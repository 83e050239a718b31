/** Where somebody writes who wants no more of these mails: a person reads it, and suppresses the address. */
export const unsubscribeUrl = (address: string): string => `mailto:${address}?subject=unsubscribe`;
