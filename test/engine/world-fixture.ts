/** A store with a world in it, and how tests work inside. */
import type { Session } from "../../src/engine/session";
import { cell, remember, shown, update, World } from "./store-fixture";

/** What `body` does in the world of that name. */
export function within<T>(session: Session, name: string, body: () => T): T {
  session.worldBegin(name);
  try {
    return body();
  } finally {
    session.worldEnd();
  }
}

export function history(session: Session, where: string): string[] {
  return shown(session.history(cell(where)));
}

/** A store in which `plan` holds one revision and one claim of its own. */
export function planned(): { store: World; session: Session } {
  const store = new World();
  const session = store.call();
  remember(session, "P.a.x", 1);
  remember(session, "P.b.x", "kept");
  session.createWorld("plan");
  within(session, "plan", () => {
    update(session, "P.a.x", 2);
    remember(session, "P.c.x", 3, "b");
  });
  session.flush();
  return { store, session };
}

/** A module that declares nothing. */
export const MODULE = { name: "m", form: "form", language: "eng", kinds: [], scripts: [], rules: [], constraints: [], imports: [] };
