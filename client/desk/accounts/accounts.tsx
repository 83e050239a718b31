import { Title } from "../../shared/parts.tsx";

export function AccountsPage() {
  return <Title text="AccountsPage" />;
}
