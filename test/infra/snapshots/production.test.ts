import { expect, test } from "@jest/globals";
import { givenStage } from "../stage-snapshot.ts";

test("production deploys what was reviewed", async () => expect(await givenStage("production")).toMatchSnapshot());
