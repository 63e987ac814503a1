/** Where letters of this deployment go: the provider's binding where there is one, else the outbox of a development service. */
import type { Directory } from "../directory/directory";
import { outboxPost, type Post, providerPost } from "../directory/mail";
import { logLine } from "./log";

export function postOf({ MAIL }: { readonly MAIL?: Fetcher }, db: Directory, nowMs: number): Post {
  if (MAIL === undefined) return outboxPost(db, nowMs);
  return providerPost(MAIL, (error) => logLine("fault", { where: "mail", error: error instanceof Error ? error.message : "unknown" }));
}
