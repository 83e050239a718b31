import { Title } from "../../shared/parts.tsx";

export function CampaignPage() {
  return <Title text="CampaignPage" />;
}
