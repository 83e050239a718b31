/** A stage that shows events and profiles without a token, to pages of several origins. The suites share it; `-t` picks tests of one of them. */
import "./api-cors.suite.ts";
import "./little-seen.suite.ts";
import "./pages.suite.ts";
import "./public-routes.suite.ts";
import "./web-app-calls.suite.ts";
