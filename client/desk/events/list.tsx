import { Title } from "../../shared/parts.tsx";

export function EventsPage() {
  return <Title text="EventsPage" />;
}
