import { strangersHour } from "../service/strangers-hour.ts";

strangersHour(2_000);
