/**
 * The application and the stack of every stage. The suites share one synthesis, which takes longer than all of their
 * assertions together; `-t` picks one of them.
 */
import "./app.suite.ts";
import "./ceilings.suite.ts";
import "./delivery-app.suite.ts";
import "./functions.suite.ts";
import "./gateway.suite.ts";
import "./guard.suite.ts";
import "./monitoring.suite.ts";
import "./nag.suite.ts";
import "./pages.suite.ts";
import "./permissions.suite.ts";
import "./pipeline.suite.ts";
import "./snapshots.suite.ts";
import "./storage.suite.ts";
import "./variants.suite.ts";
