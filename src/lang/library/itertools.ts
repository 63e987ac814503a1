/**
 * The module `itertools`: every member that must end (`count` and `cycle` need not, and are not served). Each
 * takes from its source only when asked, in CPython's order, and charges an operation for each element it takes.
 */
import { bindArgs, type Kwargs, noKeywords, type Parameters, parameters, positional } from "../value/arguments";
import type { BuiltinBody } from "../value/builtin-function";
import { HeldCall } from "../value/call";
import { raise } from "../value/exception";
import { sizeOf } from "../value/index-of";
import { checkItems, spendOps, spendSteps } from "../value/meter";
import { mustWait, Task } from "../value/pending";
import { add } from "../value/protocol-arith";
import { iterate, same, takeAll, truthy } from "../value/protocol-iterate";
import { DONE, LazyIterator, PAUSED, type PyException, PyIterator, PyTuple, type Value } from "../value/value";
import { STRETCH, taken, taking } from "../value/walk";
import { functionMember, type Member } from "./member";
import { repeated } from "./repeat";
import { tee } from "./tee";
import { ServedType } from "./type";

type Next = Value | typeof DONE | typeof PAUSED;

/** One element of a source, charged. */
function take(source: PyIterator): Next {
  const v = source.poll();
  if (v !== DONE && v !== PAUSED) spendOps(1);
  return v;
}

/** What a tool has in hand when it pauses stays in its fields, and its next `poll` begins there. */
abstract class Tool extends LazyIterator {
  get typeName(): string {
    return `itertools.${this.tool}`;
  }
  protected abstract readonly tool: string;
}

class Chain extends Tool {
  protected readonly tool = "chain";
  private current: PyIterator | null = null;
  constructor(private sources: PyIterator | null) {
    super();
  }
  poll(): Next {
    while (this.sources !== null) {
      if (this.current === null) {
        const source = this.sources.poll();
        if (source === PAUSED) return PAUSED;
        if (source === DONE) {
          this.sources = null;
          return DONE;
        }
        this.current = iterate(source);
      }
      const v = take(this.current);
      if (v !== DONE) return v;
      this.current = null;
    }
    return DONE;
  }
}

class Accumulate extends Tool {
  protected readonly tool = "accumulate";
  private total: Value | undefined;
  private readonly call = new HeldCall();
  constructor(
    private readonly source: PyIterator,
    private readonly f: Value,
    private initial: Value,
  ) {
    super();
  }
  override takeStop(): PyException | null {
    return this.call.takeStop();
  }
  poll(): Next {
    if (this.initial !== null) {
      this.total = this.initial;
      this.initial = null;
      return this.total;
    }
    if (this.call.waits) return this.keep(this.call.goOn());
    const v = take(this.source);
    if (v === DONE || v === PAUSED) return v;
    if (this.total === undefined) return this.keep(v);
    return this.keep(this.f === null ? add(this.total, v) : this.call.start(this.f, [this.total, v]));
  }
  private keep(total: Next): Next {
    if (total !== PAUSED && total !== DONE) this.total = total;
    return total;
  }
}

/** `filterfalse`, `takewhile`, `dropwhile`, `starmap`: a function and a source. */
class Filter extends Tool {
  private state: "first" | "rest" | "over" = "first";
  private readonly call = new HeldCall();
  private tested: Value = null;
  constructor(
    protected readonly tool: "filterfalse" | "takewhile" | "dropwhile" | "starmap",
    private readonly f: Value,
    private readonly source: PyIterator,
  ) {
    super();
  }
  override takeStop(): PyException | null {
    return this.call.takeStop();
  }
  poll(): Next {
    for (let n = 1; ; n++) {
      if (this.state === "over") return DONE;
      const said = this.call.waits ? this.call.goOn() : this.ask();
      if (said === PAUSED || said === DONE || this.tool === "starmap") return said;
      const yes = truthy(said);
      if (this.tool === "takewhile" && !yes) this.state = "over";
      else if (this.tool === "dropwhile" && !yes) this.state = "rest";
      if (this.tool === "takewhile" ? yes : !yes) return this.tested;
      if (n % STRETCH === 0) {
        spendSteps(STRETCH);
        if (mustWait()) return PAUSED;
      }
    }
  }
  /** What the function says of the next element. */
  private ask(): Next {
    const v = take(this.source);
    if (v === DONE || v === PAUSED) return v;
    this.tested = v;
    if (this.tool === "starmap") return this.call.start(this.f, v instanceof PyTuple ? v.a : takeAll(v));
    if (this.state === "rest") return false;
    return this.tool === "filterfalse" && this.f === null ? v : this.call.start(this.f, [v]);
  }
}

class Compress extends Tool {
  protected readonly tool = "compress";
  private datum: Value | undefined;
  constructor(
    private readonly data: PyIterator,
    private readonly selectors: PyIterator,
  ) {
    super();
  }
  poll(): Next {
    for (let n = 1; ; n++) {
      const v = this.datum === undefined ? take(this.data) : this.datum;
      if (v === DONE || v === PAUSED) return v;
      this.datum = undefined;
      const selector = take(this.selectors);
      if (selector === DONE) return DONE;
      if (selector === PAUSED) {
        this.datum = v;
        return PAUSED;
      }
      if (truthy(selector)) return v;
      if (n % STRETCH === 0) {
        spendSteps(STRETCH);
        if (mustWait()) return PAUSED;
      }
    }
  }
}

class Slice extends Tool {
  protected readonly tool = "islice";
  private taken = 0;
  constructor(
    private source: PyIterator | null,
    private at: number,
    private readonly stop: number,
    private readonly step: number,
  ) {
    super();
  }
  poll(): Next {
    if (this.source === null) return DONE;
    while (this.taken < this.at) {
      const skipped = take(this.source);
      if (skipped === DONE) return this.end();
      if (skipped === PAUSED) return PAUSED;
      if (++this.taken % STRETCH === 0) {
        spendSteps(STRETCH);
        if (mustWait()) return PAUSED;
      }
    }
    if (this.taken >= this.stop) return this.end();
    const v = take(this.source);
    if (v === PAUSED) return PAUSED;
    if (v === DONE) return this.end();
    this.taken++;
    this.at = Math.min(this.at + this.step, this.stop);
    return v;
  }
  private end(): typeof DONE {
    this.source = null;
    return DONE;
  }
}

class Pairwise extends Tool {
  protected readonly tool = "pairwise";
  private before: Value | typeof DONE | undefined;
  constructor(private readonly source: PyIterator) {
    super();
  }
  poll(): Next {
    if (this.before === undefined) {
      const first = take(this.source);
      if (first === PAUSED) return PAUSED;
      this.before = first;
    }
    if (this.before === DONE) return DONE;
    const after = take(this.source);
    if (after === PAUSED) return PAUSED;
    const before = this.before as Value;
    this.before = after;
    return after === DONE ? DONE : new PyTuple([before, after]);
  }
}

class ZipLongest extends Tool {
  protected readonly tool = "zip_longest";
  private left: number;
  /** The row begun before the slice ended, and how much of it there is. */
  private held: { readonly row: Value[]; readonly count: number } | null = null;
  constructor(
    private readonly sources: (PyIterator | null)[],
    private readonly fill: Value,
  ) {
    super();
    this.left = sources.length;
  }
  poll(): Next {
    if (this.left === 0) return DONE;
    // Made at its size: an array that grew takes several times as much.
    const { row, count } = this.held ?? { row: new Array<Value>(this.sources.length), count: 0 };
    this.held = null;
    for (let i = count; i < this.sources.length; i++) {
      const source = this.sources[i];
      const v = source === null ? DONE : take(source);
      if (v === PAUSED) {
        this.held = { row, count: i };
        return PAUSED;
      }
      if (v === DONE && source !== null) {
        this.sources[i] = null;
        if (--this.left === 0) return DONE;
      }
      row[i] = v === DONE ? this.fill : v;
    }
    return new PyTuple(row);
  }
}

class GroupBy extends Tool {
  protected readonly tool = "groupby";
  key: Value | undefined;
  /** The element that opens the next group, or is the next of this one; undefined once it was given out. */
  value: Value | undefined;
  group: Group | null = null;
  private target: Value | undefined;
  private readonly call = new HeldCall();
  /** The element whose key is being asked for. */
  private read: Value = null;
  constructor(
    private readonly source: PyIterator,
    private readonly f: Value,
  ) {
    super();
  }
  /** Reads one element and its key. */
  step(): typeof DONE | typeof PAUSED | null {
    let key: Next;
    if (this.call.waits) key = this.call.goOn();
    else {
      const v = take(this.source);
      if (v === DONE) return DONE;
      if (v === PAUSED) return PAUSED;
      this.read = v;
      key = this.f === null ? v : this.call.start(this.f, [v]);
    }
    if (key === PAUSED) return PAUSED;
    if (key === DONE) return DONE;
    this.key = key;
    this.value = this.read;
    return null;
  }
  poll(): Next {
    this.group = null;
    for (let n = 1; this.key === undefined || (this.target !== undefined && same(this.target, this.key)); n++) {
      const left = this.step();
      if (left !== null) return left;
      if (n % STRETCH === 0) {
        spendSteps(STRETCH);
        if (mustWait()) return PAUSED;
      }
    }
    this.target = this.key;
    this.group = new Group(this, this.key);
    return new PyTuple([this.key, this.group]);
  }
}

class Group extends LazyIterator {
  readonly typeName = "itertools._grouper";
  constructor(
    private readonly parent: GroupBy,
    private readonly key: Value,
  ) {
    super();
  }
  poll(): Next {
    const { parent } = this;
    // A group is over as soon as the next one was asked for.
    if (parent.group !== this) return DONE;
    const left = parent.value === undefined ? parent.step() : null;
    if (left !== null) return left;
    if (!same(this.key, parent.key as Value)) return DONE;
    const v = parent.value as Value;
    parent.value = undefined;
    return v;
  }
}

/** Rows of a pool by index: each subclass moves the indices on, or says that there are no more. */
abstract class Selection extends Tool {
  private started = false;
  private over = false;
  constructor(
    protected readonly pool: readonly Value[],
    protected readonly indices: number[],
    empty: boolean,
  ) {
    super();
    this.over = empty;
  }
  poll(): Next {
    if (this.over) return DONE;
    if (this.started && !this.advance()) {
      this.over = true;
      return DONE;
    }
    this.started = true;
    spendSteps(this.indices.length);
    return this.row();
  }
  protected row(): Value {
    return new PyTuple(this.indices.map((i) => this.pool[i]));
  }
  protected abstract advance(): boolean;
}

class Combinations extends Selection {
  protected readonly tool = "combinations";
  constructor(pool: readonly Value[], r: number) {
    super(pool, r > pool.length ? [] : Array.from({ length: r }, (_, i) => i), r > pool.length);
  }
  protected advance(): boolean {
    const { indices, pool } = this;
    const r = indices.length;
    let i = r - 1;
    while (i >= 0 && indices[i] === i + pool.length - r) i--;
    if (i < 0) return false;
    indices[i]++;
    for (let k = i + 1; k < r; k++) indices[k] = indices[k - 1] + 1;
    return true;
  }
}

class Multicombinations extends Selection {
  protected readonly tool = "combinations_with_replacement";
  constructor(pool: readonly Value[], r: number) {
    super(pool, new Array(pool.length === 0 ? 0 : r).fill(0), pool.length === 0 && r > 0);
  }
  protected advance(): boolean {
    const { indices, pool } = this;
    let i = indices.length - 1;
    while (i >= 0 && indices[i] === pool.length - 1) i--;
    if (i < 0) return false;
    indices.fill(indices[i] + 1, i);
    return true;
  }
}

class Permutations extends Selection {
  protected readonly tool = "permutations";
  private readonly order: number[];
  private readonly cycles: number[];
  constructor(pool: readonly Value[], r: number) {
    const fits = r <= pool.length;
    super(pool, new Array(fits ? r : 0).fill(0), !fits);
    this.order = pool.map((_, i) => i);
    this.cycles = Array.from({ length: fits ? r : 0 }, (_, i) => pool.length - i);
  }
  protected override row(): Value {
    return new PyTuple(this.cycles.map((_, i) => this.pool[this.order[i]]));
  }
  protected advance(): boolean {
    const { order, cycles } = this;
    const n = order.length;
    for (let i = cycles.length - 1; i >= 0; i--) {
      if (--cycles[i] === 0) {
        // Every choice for this place was given: the one in front goes back to the end.
        order.push(...order.splice(i, 1));
        cycles[i] = n - i;
      } else {
        const k = n - cycles[i];
        [order[i], order[k]] = [order[k], order[i]];
        return true;
      }
    }
    return false;
  }
}

class Product extends Selection {
  protected readonly tool = "product";
  constructor(private readonly pools: readonly (readonly Value[])[]) {
    super(
      [],
      pools.map(() => 0),
      pools.some((pool) => pool.length === 0),
    );
  }
  protected override row(): Value {
    return new PyTuple(this.pools.map((pool, i) => pool[this.indices[i]]));
  }
  protected advance(): boolean {
    for (let i = this.pools.length - 1; i >= 0; i--) {
      if (++this.indices[i] < this.pools[i].length) return true;
      this.indices[i] = 0;
    }
    return false;
  }
}

// ---- how each is called

/** The keyword convention of these types: too many arguments are always "at most". */
function bind(p: Parameters, args: readonly Value[], kwargs: Kwargs): (Value | undefined)[] {
  const total = args.length + (kwargs?.size ?? 0);
  const count = p.names.length;
  if (total > count) {
    const kind = args.length === 0 ? "keyword " : "";
    raise("TypeError", `${p.name}() takes at most ${count} ${kind}argument${count === 1 ? "" : "s"} (${total} given)`);
  }
  return bindArgs(p, args, kwargs);
}

function chosen(v: Value): number {
  const r = sizeOf(v);
  if (r < 0) raise("ValueError", "r must be non-negative");
  return r;
}

const ACCUMULATE = parameters("accumulate", "iterable func initial", 1, 2);
const COMPRESS = parameters("compress", "data selectors", 2);
const GROUPBY = parameters("groupby", "iterable key", 1);
const COMBINATIONS = parameters("combinations", "iterable r", 2);
const MULTICOMBINATIONS = parameters("combinations_with_replacement", "iterable r", 2);
const PERMUTATIONS = parameters("permutations", "iterable r", 1);

function islice(args: readonly Value[], kwargs: Kwargs): Value {
  positional("islice", args, kwargs, 2, 4);
  const bound = (v: Value, what: string): number => {
    if (v === null) return what === "Stop" ? Number.POSITIVE_INFINITY : what === "Step" ? 1 : 0;
    const n = typeof v === "boolean" ? Number(v) : v;
    const least = what === "Step" ? 1 : 0;
    if ((typeof n === "number" || typeof n === "bigint") && n >= least && n <= 9223372036854775807n) return Number(n);
    if (what === "Step") raise("ValueError", "Step for islice() must be a positive integer or None.");
    if (what === "Stop") raise("ValueError", "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.");
    raise("ValueError", "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.");
  };
  const [v, first, second, third] = args;
  if (args.length === 2) {
    const stop = bound(first, "Stop");
    return new Slice(iterate(v), 0, stop, 1);
  }
  const stop = bound(second, "Stop");
  const start = bound(first, "Start");
  const step = args.length === 4 ? bound(third, "Step") : 1;
  return new Slice(iterate(v), start, stop, step);
}

function product(args: readonly Value[], kwargs: Kwargs): Value | Task {
  let repeat = 1;
  for (const [name, v] of kwargs ?? []) {
    if (name !== "repeat") raise("TypeError", `'${name}' is an invalid keyword argument for product()`);
    repeat = sizeOf(v);
    if (repeat < 0) raise("ValueError", "repeat argument cannot be negative");
  }
  checkItems(args.length * repeat);
  if (repeat === 0) return new Product([]);
  const made = (pools: readonly Value[][]): Value => new Product(Array.from({ length: repeat }, () => pools).flat());
  if (!args.some((v) => v instanceof LazyIterator)) return made(args.map(takeAll));
  return new Task(
    (function* () {
      const pools: Value[][] = [];
      for (const v of args) pools.push(yield* taken(v));
      return made(pools);
    })(),
  );
}

function zipLongest(args: readonly Value[], kwargs: Kwargs): Value {
  let fill: Value = null;
  for (const [name, v] of kwargs ?? []) {
    if (name !== "fillvalue") raise("TypeError", "zip_longest() got an unexpected keyword argument");
    fill = v;
  }
  return new ZipLongest(args.map(iterate), fill);
}

function permutations(args: readonly Value[], kwargs: Kwargs): Value | Task {
  const [v, given] = bind(PERMUTATIONS, args, kwargs);
  return taking(v as Value, (pool) => {
    if (given === undefined || given === null) return new Permutations(pool, pool.length);
    if (typeof given !== "number" && typeof given !== "bigint" && typeof given !== "boolean") raise("TypeError", "Expected int as r");
    return new Permutations(pool, chosen(given));
  });
}

function type(name: string, construct: BuiltinBody, classMethods = {}): Member {
  const full = `itertools.${name}`;
  const test = (v: Value): boolean => v instanceof PyIterator && v.typeName === full;
  return [name, new ServedType(full, test, construct, null, classMethods)];
}
function filter(name: "filterfalse" | "takewhile" | "dropwhile" | "starmap"): Member {
  return type(name, (args, kwargs) => {
    positional(name, args, kwargs, 2, 2);
    return new Filter(name, args[0], iterate(args[1]));
  });
}

class Sources extends PyIterator {
  readonly typeName = "tuple_iterator";
  private at = 0;
  constructor(private readonly sources: readonly Value[]) {
    super();
  }
  next(): Value | typeof DONE {
    return this.at < this.sources.length ? this.sources[this.at++] : DONE;
  }
}

export const ITERTOOLS: ReadonlyMap<string, Value> = new Map<string, Value>([
  type("accumulate", (args, kwargs) => {
    const [v, f, initial] = bind(ACCUMULATE, args, kwargs);
    return new Accumulate(iterate(v as Value), f ?? null, initial ?? null);
  }),
  type(
    "chain",
    (args, kwargs) => {
      noKeywords("chain", kwargs);
      return new Chain(new Sources(args));
    },
    {
      from_iterable: (args: readonly Value[], kwargs: Kwargs) => {
        noKeywords("chain.from_iterable", kwargs);
        if (args.length !== 1) raise("TypeError", `chain.from_iterable() takes exactly one argument (${args.length} given)`);
        return new Chain(iterate(args[0]));
      },
    },
  ),
  type("combinations", (args, kwargs) => {
    const [v, r] = bind(COMBINATIONS, args, kwargs);
    const size = sizeOf(r as Value);
    return taking(v as Value, (pool) => new Combinations(pool, chosen(size)));
  }),
  type("combinations_with_replacement", (args, kwargs) => {
    const [v, r] = bind(MULTICOMBINATIONS, args, kwargs);
    const size = sizeOf(r as Value);
    return taking(v as Value, (pool) => {
      if (pool.length > 0) checkItems(chosen(size));
      return new Multicombinations(pool, chosen(size));
    });
  }),
  type("compress", (args, kwargs) => {
    const [data, selectors] = bind(COMPRESS, args, kwargs);
    return new Compress(iterate(data as Value), iterate(selectors as Value));
  }),
  filter("dropwhile"),
  filter("filterfalse"),
  type("groupby", (args, kwargs) => {
    const [v, f] = bind(GROUPBY, args, kwargs);
    return new GroupBy(iterate(v as Value), f ?? null);
  }),
  type("islice", islice),
  type("pairwise", (args, kwargs) => {
    positional("pairwise", args, kwargs, 1, 1);
    return new Pairwise(iterate(args[0]));
  }),
  type("permutations", permutations),
  type("product", product),
  type("repeat", repeated),
  filter("starmap"),
  filter("takewhile"),
  functionMember("tee", tee),
  type("zip_longest", zipLongest),
]);
