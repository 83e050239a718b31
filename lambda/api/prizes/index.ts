import { dispatch } from "#kit/api.ts";
import { createPrize } from "./create-prize.ts";
import { deletePrize } from "./delete-prize.ts";
import { getPrize } from "./get-prize.ts";
import { listPrizes } from "./list-prizes.ts";
import { updatePrize } from "./update-prize.ts";

export const handler = dispatch([createPrize, deletePrize, getPrize, listPrizes, updatePrize]);
