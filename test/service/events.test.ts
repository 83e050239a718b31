/** Events, their forms, pictures and doors. The suites share one stage; `-t` picks tests of one of them. */
import "./api-event-changes.suite.ts";
import "./api-events.suite.ts";
import "./api-feedback.suite.ts";
import "./api-opening.suite.ts";
import "./door.suite.ts";
import "./images-upload.suite.ts";
