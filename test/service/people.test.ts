/** Members, accounts, their end and bought memberships. The suites share one stage; `-t` picks tests of one of them. */
import "./api-members.suite.ts";
import "./api-users.suite.ts";
import "./api-audit.suite.ts";
import "./api-personal-data.suite.ts";
import "./api-user-deletion.suite.ts";
import "./api-audit-rows.suite.ts";
