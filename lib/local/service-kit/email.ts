/** Whether a text can be an email address; a rough check, like those of the services that are played here. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254;
