/** Finds and makes elements. */

export const root = document.documentElement;
export const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
export const all = <T extends HTMLElement>(selector: string): T[] => [...document.querySelectorAll<T>(selector)];

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export const button = (text: string, act: () => unknown): HTMLButtonElement =>
  element("button", { type: "button", onclick: () => void act() }, text);

/** A row of a list. */
export const row = (title: string, text: string, ...buttons: readonly Node[]): HTMLLIElement =>
  element("li", {}, element("p", {}, element("strong", {}, title), text), ...buttons);
