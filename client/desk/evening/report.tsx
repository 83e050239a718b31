import { Title } from "../../shared/parts.tsx";

export function ReportPage() {
  return <Title text="ReportPage" />;
}
