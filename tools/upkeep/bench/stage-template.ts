/** The template of a stage, as `cdk synth` makes it, also while `lib/stages.ts` has placeholders. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clubApp } from "../../../lib/stack/club-app.ts";
import { stackName } from "../../../lib/stage-names.ts";
import type { StageName } from "../../../lib/stages.ts";
import type { Template } from "./idle.ts";

/** Needs built functions. */
export function stageTemplate(stage: StageName): Template {
  const outdir = mkdtempSync(join(tmpdir(), "template-"));
  try {
    return clubApp({ outdir, context: { stage } }).synth().getStackByName(stackName(stage)).template;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
