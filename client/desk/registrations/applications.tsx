import { Title } from "../../shared/parts.tsx";

export function ApplicationsPage() {
  return <Title text="ApplicationsPage" />;
}
