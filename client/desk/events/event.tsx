import { Title } from "../../shared/parts.tsx";

export function EventPage() {
  return <Title text="EventPage" />;
}
