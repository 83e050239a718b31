import { dispatch } from "#kit/api.ts";
import { startPayment } from "./start-payment.ts";

export const handler = dispatch([startPayment]);
