/**
 * The code of the number kernel: its instructions, why it stops, and where it keeps what. Read by the kernel's own source
 * too (`kernel/numbers.ts`, another language with the same grammar): plain constants only.
 *
 * An instruction is four ints: operation and destination (`op | dest << 8`), then a, b, c. Numbers are registers of one
 * double each; an int is a double of at most 2^53 - 1.
 */

// ---- instructions -------------------------------------------------------------------------------------------------
/** A statement: line a begins, b ops are charged; stops before it where the slice is used up. */
export const STEP = 0;
/** Charges a ops. */
export const CHARGE = 1;
/** Line a is the one at work. */
export const AT = 2;
/** Charges one op and ends the call where that is past the ceiling. */
export const CALL = 3;
export const JUMP = 4; // c: to
export const MOVE = 5; // dest = a
export const ADD_FLOAT = 6;
export const SUB_FLOAT = 7;
export const MUL_FLOAT = 8;
export const DIV_FLOAT = 9;
export const NEG_FLOAT = 10;
/** dest = a + b * c, rounded twice. */
export const ADD_PRODUCT_FLOAT = 11;
export const ADD_INT = 12;
export const SUB_INT = 13;
export const MUL_INT = 14;
export const DIV_INT = 15;
export const FLOORDIV_INT = 16;
export const MOD_INT = 17;
export const AND_INT = 18;
export const OR_INT = 19;
export const XOR_INT = 20;
export const NEG_INT = 21;
export const ADD_PRODUCT_INT = 22;
export const ABS = 23;
// A comparison of a and b goes on to c where it does not hold (UNLESS) or does (WHERE).
export const UNLESS_LESS = 24;
export const UNLESS_LESS_EQUAL = 25;
export const UNLESS_EQUAL = 26;
export const WHERE_LESS = 27;
export const WHERE_LESS_EQUAL = 28;
export const WHERE_EQUAL = 29;
/** `range(a, b, c)` begins: dest is the first of its four registers (place, length, start, step). */
export const RANGE = 30;
/** The next element of the range at a into dest, one op; goes on to c at its end. */
export const NEXT_OF_RANGE = 31;
/** Line a binds register b, by name c. */
export const RECORD = 32;
/** Register a was bound: b says to what (`BOUND_BY`). */
export const MARK = 33;
/** Stops for good: a says why. */
export const LEAVE = 34;
/** Register b comes to the end of list a. */
export const APPEND = 35;
// Of shown list a the element at register b, counted from the end where it is negative.
export const GET_NUMBER = 36;
export const GET_TRUTH = 37;
/** The element becomes register c. */
export const SET_NUMBER = 38;
export const SET_TRUTH = 39;
/** dest = the length of shown list a. */
export const LENGTH = 40;
// Texts: a register holds where its bytes begin and how many there are.
/** dest = the decimal digits of int a. */
export const TEXT_OF_INT = 41;
/** dest = `repr` of text a. */
export const TEXT_REPR = 42;
/** dest = a + b. c - 1 is the place where a text grows; 0 for a plain sum. */
export const JOIN = 43;
/** dest = `len` of text a. */
export const TEXT_LENGTH = 44;
/** dest = -1, 0 or 1: how texts a and b are ordered. */
export const TEXT_ORDER = 45;
/** A text made of parts begins. */
export const BUILD = 46;
// Text, int or float a is written behind it: c says how (`region-texts.ts`), b by which spec.
export const PUT_TEXT = 47;
export const PUT_INT = 48;
export const PUT_FLOAT = 49;
/** dest = the text made of parts. */
export const BUILT = 50;

// ---- why it stops -------------------------------------------------------------------------------------------------
export const EXHAUSTED = 0;
export const BROKE = 1;
export const RETURNED = 2;
export const BEFORE_STEP = 3;
export const BEFORE_RECORD = 4;
export const OPS_SPENT = 5;
/** The operation's fast way does not do for these operands. */
export const UNUSUAL = 6;
export const BEFORE_APPEND = 7;
/** What the program holds is to be counted; the instruction is done. */
export const SURVEY_DUE = 8;

// ---- memory, in bytes ---------------------------------------------------------------------------------------------
// Ints the kernel and the machine hand to each other.
export const AT_PC = 0;
export const AT_STEPS_LEFT = 4;
export const AT_OPS_LEFT = 8;
export const AT_LINE = 12;
export const AT_ORDER = 16;
/** Where the next text begins. */
export const AT_TEXTS_END = 20;
// The machine's own counts (`value/meter.ts`), doubles.
export const AT_MADE = 24;
export const AT_SURVEY_AT = 32;
export const AT_MADE_CHARS = 40;
export const AT_KEPT = 48;
/** Lines, 32 bytes each: last value, its order, its name, how many bindings more the machine itself records. */
export const LINES = 64;
export const LINES_MAX = 500;
export const REGISTERS = 16384;
export const REGISTERS_MAX = 2048;
/** Registers from here are scratch of one step. */
export const SCRATCH = 1536;
/** By register, a byte: what bound it last. */
export const BOUND_BY = 32768;
/** Lists appended to, 8 bytes each: how many elements wait to be taken over, and how many may. */
export const LISTS = 36864;
export const LISTS_MAX = 4;
/** Places where a text grows, a double each: `kept` as its last turn ended; -1 for none. */
export const GROWTHS = 36896;
export const GROWTHS_MAX = 64;
/** Digits being made, 256 bytes. */
export const DIGITS = 37632;
/** Lists shown (`region-lists.ts`), 8 bytes each: where the elements begin, and how many there are. */
export const SHOWN = 37888;
export const SHOWN_MAX = 8;
/** The elements that wait, for each list in its turn. */
export const ELEMENTS = 40960;
export const ELEMENTS_MAX = 512;
export const CODE = 65536;
export const CODE_MAX = 4096;
/** Texts, a byte a character; constants first. Past the limit the next statement finds room made for it. */
export const TEXTS = 131072;
export const TEXTS_LIMIT = 917504;
export const TEXTS_MAX = 1179648;
/** Characters of one text. */
export const TEXT_MAX = 262144;
/** Texts of so many characters are measured by the machine, which counts steps for it. */
export const TEXT_MEASURED = 64;
/** Elements of the lists shown, a double or a byte each; memory grows to as much as they need. */
export const SHOWN_ELEMENTS = 1179648;
export const SHOWN_BYTES_MAX = 8388608;
