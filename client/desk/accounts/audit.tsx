import { Title } from "../../shared/parts.tsx";

export function AuditPage() {
  return <Title text="AuditPage" />;
}
