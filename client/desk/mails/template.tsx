import { Title } from "../../shared/parts.tsx";

export function TemplatePage() {
  return <Title text="TemplatePage" />;
}
