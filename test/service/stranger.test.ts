import { strangersHour } from "./strangers-hour.ts";

strangersHour(400);
