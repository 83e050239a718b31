import { Title } from "../../shared/parts.tsx";

export function MailsPage() {
  return <Title text="MailsPage" />;
}
