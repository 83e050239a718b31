import type { Budgets } from "./judge.ts";

export const budgets: Budgets = {};
