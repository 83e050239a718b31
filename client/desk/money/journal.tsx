import { Title } from "../../shared/parts.tsx";

export function JournalPage() {
  return <Title text="JournalPage" />;
}
