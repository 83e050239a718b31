import { expect, test } from "@jest/globals";
import { givenStage } from "../stage-snapshot.ts";

test("staging deploys what was reviewed", async () => expect(await givenStage("staging")).toMatchSnapshot());
