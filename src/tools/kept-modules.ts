/**
 * Modules that the service keeps in a store for its own records: any program may import them, and nobody else's source is
 * stored under their names.
 */
export const KG_MODULE = "kg";
export const KG_DELETED_MODULE = "kg_deleted";

export const KEPT_MODULES: ReadonlySet<string> = new Set([KG_MODULE, KG_DELETED_MODULE]);
