import { dispatch } from "#kit/api.ts";
import { receivePaymentNews } from "./receive-payment-event.ts";

export const handler = dispatch([receivePaymentNews]);
