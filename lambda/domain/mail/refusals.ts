import { Conflicting } from "#kit/errors.ts";

/** The time of a campaign can only be changed before it. */
export class CampaignBegun extends Conflicting {
  readonly code = "CAMPAIGN_BEGUN";
  constructor(isStopped: boolean) {
    super(isStopped ? "This campaign is stopped. Send a new one." : "This campaign has begun. It can only be stopped.");
  }
}
