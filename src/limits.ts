/** Every limit with its unit and its reason. Nothing else in the project holds a bare bound. */

/** Contract and rulings: a source over 1 MiB is a `parse_error`. Bytes of UTF-8. */
export const SOURCE_BYTES_MAX = 1 << 20;
/** Nesting of brackets, blocks and operators in a source; keeps every recursive pass within the JavaScript stack. */
export const SOURCE_DEPTH_MAX = 100;
/** Longest path from a statement to a leaf of its tree. Chains (`a + b + …`) nest in the tree without nesting in the source; passes over the tree recurse. */
export const SOURCE_HEIGHT_MAX = 1_000;
/** Lines of a source lowered between two pauses, at least: some milliseconds. A source of fewer lines is compiled in one slice. */
export const SOURCE_PIECE_LINES = 300;
/** Characters of a compiled form past which writing it out, storing it and running its body are slices of their own. */
export const FORM_SLICE_CHARS = 64 << 10;
/** HTTP request body in bytes: a 1 MiB source may double in JSON (rulings, "Size of a source"). */
export const BODY_BYTES_MAX = 4 << 20;
/** Default ceiling of one call, in ops (language.md §8). */
export const CALL_OPS_MAX = 50_000_000;
/** Internal steps a call may take, whatever its ops: bounds what ops do not see. */
export const CALL_STEPS_MAX = 2_000_000_000;
/** Steps of what cannot be suspended half way (a function that compares, one that a `defaultdict` calls): well under a second. */
export const NESTED_STEPS_MAX = 10_000_000;
/** Steps in one slice of the run loop: about 2 ms, the latency of a `stop`. */
export const SLICE_STEPS = 50_000;
/** Code points of one text, built or stored in memory. */
export const TEXT_CHARS_MAX = 16 << 20;
/** Elements of one collection in memory. 4 M slots are 32 MiB, a quarter of an isolate. */
export const COLLECTION_ITEMS_MAX = 4_000_000;
/** Bytes that one collection may weigh with what it holds, by sample: half of an isolate. */
export const COLLECTION_BYTES_MAX = 64 << 20;
/** Entries of one dict or set in memory: with its Map an entry takes 60 to 100 bytes, so this is most of an isolate. */
export const HASHED_ITEMS_MAX = 1_000_000;
/** Bytes that all values of one program may weigh together, by count: half of an isolate, which holds the store and the machine too. */
export const LIVE_BYTES_MAX = 64 << 20;
/** Bytes that a program makes, at least, before what it holds is counted again: the count of a full program takes some 50 ms. */
export const SURVEY_BYTES_MIN = 16 << 20;
/** Bits of one int: 4 M bits multiply in well under a second. */
export const INT_BITS_MAX = 1 << 22;
/** CPython 3.11 `sys.set_int_max_str_digits` default. */
export const INT_TEXT_DIGITS_MAX = 4300;
/** Nesting of values (lists in lists …) that repr, compare, hash and store follow. CPython raises RecursionError near 1,000. */
export const VALUE_DEPTH_MAX = 200;
/** A stored collection, in bytes of canonical form (store-and-rules.md §1). */
export const STORED_COLLECTION_BYTES_MAX = 64 << 10;
/** A stored text or blob, in bytes. A Durable Object row holds 2 MB. */
export const STORED_VALUE_BYTES_MAX = 1 << 20;
/** Code points of a subject's name (rulings, "Kind[expr]"), and of what callers name themselves: worlds, marks. */
export const SUBJECT_NAME_CHARS_MAX = 1024;
/** Derived claims in one store (rulings, "Limit of derived claims"). */
export const DERIVED_CLAIMS_MAX = 1_500_000;
/** Rows one statement's rule work, or one proof, may look at, arithmetic included: some seconds. A join that concludes nothing is bounded by nothing else. */
export const RULE_ROWS_MAX = 40_000_000;
/** Bytes of the values that derived claims intern. */
export const DERIVED_VALUE_BYTES_MAX = 16 << 20;
/** Nodes of one proof (rulings, "Size of a proof"). */
export const PROOF_NODES_MAX = 10_000;
/** Conclusions a call was given whose proofs are worked out before it changes what they rest on: a tenth of a second of work. */
export const OWED_ANSWERS_MAX = 1_000;
/** Matches looked at to find the least proof: about a second of work. */
export const PROOF_DERIVATIONS_MAX = 300_000;
/** Characters of a transcript value carried whole (contract §5). */
export const TRANSCRIPT_VALUE_CHARS_MAX = 65_536;
/** Characters that one call's prints and bound texts may have: the answer carries them twice, and an object call holds 32 MiB. */
export const OUTPUT_CHARS_MAX = 4 << 20;
/** Of one line the first this many `assign` entries and the last are kept (rulings). */
export const TRANSCRIPT_LINE_HEAD = 3;
/** Store size in bytes by default (store-and-rules.md §6). */
export const STORE_BYTES_MAX = 256 << 20;
/** Calls that may wait for one store; the next is answered busy at once. */
export const QUEUE_LENGTH_MAX = 64;
/** How long a call waits for its turn, in milliseconds, before the busy answer. */
export const QUEUE_WAIT_MS_MAX = 30_000;
/** How long `stop` waits (contract §9.8), in milliseconds. */
export const STOP_WAIT_MS = 10_000;
/** One SQLite statement takes 100 parameters in a Durable Object. */
export const SQL_PARAMETERS_MAX = 100;
/** Reports an account may send in a day (contract §9.9). */
export const REPORTS_PER_DAY_MAX = 20;
/** Bytes of a report's four fields together (contract §9.9). */
export const REPORT_BYTES_MAX = 32_768;
/** Ops that one LangCoin buys (contract §7). */
export const OPS_PER_LCN = 100_000;
/** Bytes of one sealed page of symbols before encryption: one AES call costs about the same up to here. */
export const SYMBOL_PAGE_BYTES = 16 << 10;
/** A last page up to this size is filled up by the next write instead of starting another. Bytes. */
export const SYMBOL_TAIL_BYTES = 4 << 10;
/** Symbols held in memory, about 180 bytes each, before those SQL can give back are dropped. */
export const SYMBOLS_HELD_MAX = 100_000;
/** Bytes of the values they stand for, at three a letter: a few hundred long texts weigh as much as all others. */
export const SYMBOLS_HELD_BYTES_MAX = 48 << 20;
/** Bytes of values that nothing stored names, forgotten or only asked for, past which a store between calls lets go of its memory; three a letter. */
export const UNSTORED_HELD_BYTES_MAX = 12 << 20;
/** Bytes of decrypted symbol pages kept open; their keys and bounds come to about as much again. */
export const SYMBOL_PAGES_OPEN_BYTES_MAX = 12 << 20;
/** Bytes held of the index of names and values, eight a symbol; what waits to be put into it comes besides. */
export const SYMBOL_HASHES_HELD_BYTES_MAX = 8 << 20;
/** Calls of one account in work or waiting at once, by default; the next is told to wait (contract §9.8). */
export const CALLS_AT_ONCE_MAX = 100;
/** Keys of one store, revoked ones included: their hashes are kept so that none is issued twice. */
export const STORE_KEYS_MAX = 1000;
/** Characters kept of what a client says of itself (its name, its version). */
export const CLIENT_TEXT_CHARS_MAX = 128;
/** Clients remembered of one key: one is meant (contract §3), and a few more are seen while versions change. */
export const KEY_CLIENTS_MAX = 8;
/** How long a store keeps its data key in memory after its last call, in milliseconds. */
export const VAULT_IDLE_MS = 5_000;
/** How long used ops may lie unsettled with the account, in milliseconds. */
export const SETTLE_AFTER_MS = 2_000;
/** Calls settled in one message to the account; the rest follow in the next. */
export const SETTLE_CALLS_MAX = 1_000;
/** Bytes of claims as SQL holds them, kept by the page: some 170,000 claims. */
export const CLAIM_PAGES_BYTES_MAX = 12 << 20;
/** Cells held in memory, some 400 bytes each, before they are dropped and read again from SQL. */
export const CELLS_HELD_MAX = 40_000;
/** Claims that one world holds, what it says of the store's included: it is held in memory whole, at about a kilobyte a claim. */
export const WORLD_CLAIMS_MAX = 50_000;
/** Steps that each claim of a world counts for as the world is entered: showing it, and undoing that, takes some 20 µs. */
export const WORLD_CLAIM_STEPS = 500;
/** How far ahead of use the store's instant mark is kept in SQL, in microseconds: one write a second for the promise that instants never repeat. */
export const INSTANT_AHEAD_MICROS = 1_000_000;
/** Bytes of SQL that a write may come to, by estimate, before the size limit is checked exactly. */
export const SIZE_MARGIN_BYTES = 256 << 10;
/** Bytes of one sealed row before encryption: a Durable Object's row holds 2 MB. */
export const SEALED_PART_BYTES = 1 << 20;
/** Steps in the first slice of a call, and in the smallest: a step that writes costs thousands of plain ones. */
export const SLICE_STEPS_FIRST = 256;
export const SLICE_STEPS_MIN = 16;
/** What a slice may take, in milliseconds, before the next is made smaller: half the latency of a `stop`. */
export const SLICE_MS = 8;
/** The same while calls of other stores come, and for how long one that came counts: short slices cost one that writes some of its speed. */
export const SLICE_MS_AMONG_OTHERS = 3;
export const OTHERS_LATELY_MS = 500;
/** Slices after which a call is no newcomer any more (durable/newcomers.ts), and milliseconds, should it do nothing at all. */
export const NEWCOMER_SLICES = 4;
export const NEWCOMER_MS = 250;
/**
 * Turns that a call which is none gives after each slice, and at most where there are newcomers; one takes some microseconds. Two,
 * since in the first the runtime only reads what has come in.
 */
export const TURNS_GIVEN = 2;
export const TURNS_GIVEN_MAX = 24;
/** Entries that an answer tells past which it is made in several slices. */
export const ANSWER_SLICE_ENTRIES = 1_000;
/** Bytes of one answer on its way from a store object to the worker: an object call carries 32 MiB. */
export const ANSWER_BYTES_MAX = 31 << 20;
/** Characters of a `diff`: its lines travel twice, as text and on `_meta`, at up to two bytes a character. */
export const DIFF_TEXT_CHARS_MAX = 6 << 20;
/** Steps of one search of `re`: well under a second (rulings, "re, and bombs"). */
export const RE_STEPS_MAX = 10_000_000;
/** Choices that one search of `re` remembers so as to stay linear: about 16 bytes each. */
export const RE_CHOICES_MAX = 4_000_000;
/** Instructions of one pattern, its counted repetitions written out. */
export const RE_PROGRAM_MAX = 50_000;
/** Calls a second of one key, by default: enough for an agent that works with many small calls. */
export const KEY_CALLS_PER_SECOND_DEFAULT = 50;
/** Ops a store leases ahead: so many calls' ceilings beyond what is reserved. */
export const LEASE_CEILINGS_AHEAD = 4;
/** Calls at once that a store asks for beyond those it has. */
export const LEASE_CALLS_AHEAD = 16;
/** Failed messages to the account that one call sits out: an account object is gone for a moment when it is moved. */
export const ACCOUNT_FAILURES_MAX = 2;
/** How often, and after how long, a store asks again while another store of the account is between two messages. */
export const ACCOUNT_ASK_AGAIN_MAX = 5;
export const ACCOUNT_ASK_AGAIN_MS = 20;
/** Recorded facts and conclusions that one `known_at` read may work over: about a second. */
export const KNOWN_FACTS_MAX = 100_000;
/** Rows that the joins of one `known_at` read may look at. */
export const KNOWN_ROWS_MAX = 10_000_000;
/** Steps one rule may take in one `why_not`, and the bindings of one premise it tries: some tenths of a second. */
export const WHY_NOT_STEPS_MAX = 100_000;
export const WHY_NOT_BINDINGS_MAX = 10_000;
/** Steps to find the sets of cells that would do: of one rule for one size, and of all. Some tenths of a second. */
export const WHY_NOT_SEARCH_STEPS_MAX = 20_000;
export const WHY_NOT_NEED_STEPS_MAX = 60_000;
/** How far `why_not` follows cells that rules conclude. */
export const WHY_NOT_DEPTH_MAX = 4;
/** Sets of cells that `why_not` tells, and cells of one set (rulings, "what_needs and missing premises"). */
export const WHY_NOT_SETS_MAX = 5;
export const WHY_NOT_SET_CELLS_MAX = 5;
/** Texts that are embedded in one call: what Workers AI takes. */
export const EMBEDDED_TEXTS_A_CALL = 100;
/** How long one such call may take, in milliseconds: a request waits for it, and the store with the request. */
export const EMBED_MS_MAX = 5_000;
/** Events of the request endpoint that are kept: about 80 MB of a store at its largest, and months of an agent at work. */
export const EVENTS_MAX = 200_000;
/** Bytes of one answer of the request endpoint (request facts §5.5). */
export const REQUEST_FRAME_BYTES_MAX = 8 << 20;
/** How long one request may wait in all for what other calls write, milliseconds. */
export const REQUEST_WAIT_MS_MAX = 30_000;
/** Bytes of results after which a batch begins no further op: half of an answer, so that what ran can be told. */
export const REQUEST_BATCH_BYTES_MAX = 4 << 20;
