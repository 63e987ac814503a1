/**
 * Letters to account holders, through one small port.
 *
 * In production the binding `MAIL` is a service that takes `POST /` with `{to, subject, text}` as JSON and answers 2xx once it has
 * it (docs/decisions/mail.md). A development service keeps them for its outbox page. A letter that cannot be sent is logged
 * without its text, and never fails the page it was for: the person is told to look for it, and can ask again.
 */
import type { Directory } from "./directory";
import { outbox } from "./schema";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Post {
  send(letter: Letter): Promise<void>;
}

export function providerPost(mail: Fetcher, failed: (error: unknown) => void): Post {
  return {
    async send(letter) {
      try {
        const answer = await mail.fetch("https://mail.invalid/", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(letter),
        });
        if (!answer.ok) throw new Error(`the mail service answered ${answer.status}`);
      } catch (error) {
        failed(error);
      }
    },
  };
}

export function outboxPost(db: Directory, nowMs: number): Post {
  return {
    async send({ to, subject, text }) {
      await db.insert(outbox).values({ toAddress: to, subject, body: text, sentMs: nowMs });
    },
  };
}
