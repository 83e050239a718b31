/** Whether a text can be an email address. The check is as rough as that of Cognito and the payment provider. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254;
