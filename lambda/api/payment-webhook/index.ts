import { dispatch } from "#kit/api.ts";
import { receivePaymentNews } from "./receive-payment-news.ts";

export const handler = dispatch([receivePaymentNews]);
