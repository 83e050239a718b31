/** Money that goes back, in a stage that sends refunds by itself. The suites share one stage; `-t` picks tests of one of them. */
import "./refunds.suite.ts";
import "./reconciliation.suite.ts";
import "./api-acts.suite.ts";
import "./api-deposits.suite.ts";
import "./paid-plus-ones.suite.ts";
