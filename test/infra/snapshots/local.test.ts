import { expect, test } from "@jest/globals";
import { givenStage } from "../stage-snapshot.ts";

test("local deploys what was reviewed", async () => expect(await givenStage("local")).toMatchSnapshot());
