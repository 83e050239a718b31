import { dispatch } from "#kit/api.ts";
import { receivePaymentEvent } from "./receive-payment-event.ts";

export const handler = dispatch([receivePaymentEvent]);
