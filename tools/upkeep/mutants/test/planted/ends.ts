import { test } from "@jest/globals";
import "./price.ts";

// As the command ends a file that never ends.
test("ends its process", () => void process.kill(process.pid, "SIGKILL"));
