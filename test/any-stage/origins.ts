/** The origins that a stage allows. */
import { localStage } from "../../lib/stages.ts";
import type { OutputsOfStage } from "../../tools/kit/outputs.ts";

export const originsOf = ({ stage }: OutputsOfStage): readonly string[] => (stage ?? localStage({})).allowedOrigins;
