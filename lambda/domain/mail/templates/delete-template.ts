import { type IfMatch, requireMatch } from "#kit/etag.ts";
import { edit, write } from "#kit/execute.ts";
import type { Deadline } from "#kit/retry.ts";
import { readTemplate, removal } from "./store.ts";

/** @throws NotFound PreconditionFailed */
export const deleteTemplate = (name: string, ifMatch: IfMatch | undefined, deadline: Deadline): Promise<void> =>
  edit(
    "Template",
    () => readTemplate(name),
    (read) => {
      requireMatch(ifMatch, read);
      return write(removal(name, ifMatch && read), undefined);
    },
    deadline,
  );
