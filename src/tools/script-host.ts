/**
 * What a running program sees of its store: the language's `Host` over the engine's session. One line a verb; no rule
 * of the store lives here.
 */
import type { Session } from "../engine/session";
import type { Host } from "../lang/host";

export function scriptHost(session: Session): Host {
  return {
    instant: session.instant,
    inSlices: (rows, work) => session.inSlices(rows, work),
    get isConcluding() {
      return session.isConcluding;
    },
    conclude: (rows) => session.conclude(rows),
    current: (cell, point) => session.current(cell, point),
    value: (cell, point) => session.value(cell, point),
    values: (cell, point) => session.values(cell, point),
    get: (cell) => session.get(cell),
    history: (cell) => session.history(cell),
    finding: (kind, wanted, point) => session.finding(kind, wanted, point),
    fields: (kind, subject) => session.fields(kind, subject),
    kinds: () => session.kinds(),
    subjectHolds: (kind, subject) => session.subjectHolds(kind, subject),
    fieldHolds: (kind, field) => session.fieldHolds(kind, field),
    sources: (cell) => session.sources(cell),
    listScripts: () => session.listScripts(),
    absent: (cell) => session.absent(cell),
    changed: (cell, since) => session.changed(cell, since),
    why: (cell, value) => session.why(cell, value),
    whyNot: (cell, value) => session.whyNot(cell, value),
    whatNeeds: (cell) => session.whatNeeds(cell),
    requireLevel: (least) => session.requireLevel(least),
    remember: (cell, value, source, window, qualifiers) => session.remember(cell, value, source, window, qualifiers),
    update: (cell, value, source, window, qualifiers) => session.update(cell, value, source, window, qualifiers),
    assertAbsent: (cell, source, window) => session.assertAbsent(cell, source, window),
    forget: (target) => session.forget(target),
    forgetValue: (cell, value, source) => session.forgetValue(cell, value, source),
    forgetAt: (cell, at) => session.forgetAt(cell, at),
    forgetRange: (target, keyword, instant) => session.forgetRange(target, keyword, instant),
    prefer: (target, source) => session.prefer(target, source),
    unprefer: (target) => session.unprefer(target),
    pin: (cell) => session.pin(cell),
    unpin: (cell) => session.unpin(cell),
    branchBegin: (name) => session.branchBegin(name),
    branchCommit: (end) => session.branchCommit(end),
    branchRollback: (end) => session.branchRollback(end),
    worldBegin: (name) => session.worldBegin(name),
    worldEnd: () => session.worldEnd(),
    createWorld: (name) => session.createWorld(name),
    mergeWorld: (name) => session.mergeWorld(name),
    discardWorld: (name) => session.discardWorld(name),
    worlds: () => session.worlds(),
  };
}
