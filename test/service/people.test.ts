/** Members, accounts and bought memberships. The suites share one stage; `-t` picks tests of one of them. */
import "./api-members.suite.ts";
import "./api-users.suite.ts";
import "./membership-purchase.suite.ts";
