/** Formats an amount of money: `15.00 CAD`. Pure. @param amount in cents */
export const amountText = ({ amount, currency }: { readonly amount: number; readonly currency: string }): string =>
  `${(amount / 100).toFixed(2)} ${currency}`;
