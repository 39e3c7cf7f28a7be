import { anyOf, isWord, listOf, ofType, small, sum, textOf, type Estimate } from './estimate.ts';
import { frameNanoseconds } from './frames.ts';
import { grownBytesMax, madeBytesMax, patternBytesMax } from './limits.ts';
import { guardedGrowth, longestMade } from './growth.ts';
import { guardedMaker } from './makers.ts';
import { boundedMessage } from './messages.ts';
import { Names } from './names.ts';
import { plainSize, sizes } from './sizes.ts';
import { steepCalls } from './steep.ts';
import { Steps } from './steps.ts';
import { Weights } from './weights.ts';
import { costOf, spend } from '../budget.ts';
import { nanosecondsOf } from '../functions/function-cost.ts';
import { QueryFault } from '../query-error.ts';
import type { Resolved, ResolvedCall, ResolvedColumn, ResolvedQuery, ResolvedSelect, Source } from '../resolved.ts';
import type { ConstantValue } from '../values.ts';

type Interpolated = NonNullable<ResolvedSelect['interpolate']>[number];

/** Estimate of a query's rows. */
interface Rows {
  /** At most so many. */
  most: number;
  /** A join makes blocks of its own size of them. */
  joined: boolean;
  /** So many of them come of each row of a block: of its lists. */
  fan: number;
  columns: ReadonlyMap<string, Estimate>;
}

// Their lists are made sets once.
const hashed: ReadonlySet<string> = new Set(['in', 'notIn', 'transform']);
const collecting = /^(?:groupArray|groupUniqArray|topK|groupConcat)/;
const usualCollected = 30;
const numbersMax = 10_000_000;
const longText = 1_000;
/** Calls of which merged columns of many joins print thousands: each costs the engine next to nothing, unless it is dear. */
const merging: ReadonlySet<string> = new Set([
  'if',
  'multiIf',
  'ifNull',
  'coalesce',
  'isNull',
  'isNotNull',
  'equals',
  'identity',
  'toNullable',
  'assumeNotNull',
]);
const dearNanoseconds = 1_000;

/** Goes through a resolved query once and adds up what each of its steps costs for a row. */
export class Estimator {
  readonly guarded = new Map<Resolved, Resolved>();
  readonly steps = new Steps();
  /** The same of rows whose blocks have the engine's own size: what those that a join has made compute of made values, and all of those that are filled in. */
  readonly joinedSteps = new Steps();
  /** Work on values of tables by rows of a join or of a lookup. */
  readonly behindJoinSteps = new Steps();
  dearest: Resolved | undefined;
  private dearestNanoseconds = 0;
  private known = new Map<Resolved, Estimate>();
  private readonly looked = new Map<ConstantValue, Estimate>();
  private readonly queries = new Map<ResolvedQuery, Rows>();
  private readonly weights = new Weights();
  private names = new Names();
  /** How often a row computes what is being looked at: the items of the lambdas around it. */
  private times = 1;
  private rows = 1;
  private fan = 1;
  /** Made values that an aggregate of this SELECT may collect. */
  private collected = 1;
  /** Values of tables that it may collect: as many as usual, or as others have made of them. */
  private gathered = 1;
  private joined = false;
  private behindJoin = false;
  /** Rows come of a list that reads none. */
  private hasFreeRows = false;
  /** The same of the rows that an aggregate of this SELECT reads; its groups are joined to nothing. */
  private readBehindJoin = false;
  /** Rows that an aggregate of this SELECT reads. */
  private read = 1;
  /** The engine computes what is being looked at before it runs anything. */
  private early = false;
  /** It is computed for rows that are filled in, many of them at a time. */
  private isFilling = false;

  query(query: ResolvedQuery): Rows {
    const found = this.queries.get(query);
    if (found) return found;
    // A query that reads itself knows only the types of its columns.
    this.queries.set(query, {
      most: Infinity,
      joined: false,
      fan: 1,
      columns: new Map(query.columns.map(({ sqlName, type }) => [sqlName, ofType(type, true)])),
    });
    const outer = {
      names: this.names,
      times: this.times,
      rows: this.rows,
      fan: this.fan,
      collected: this.collected,
      gathered: this.gathered,
      joined: this.joined,
      behindJoin: this.behindJoin,
      readBehindJoin: this.readBehindJoin,
      read: this.read,
      early: this.early,
      isFilling: this.isFilling,
      hasFreeRows: this.hasFreeRows,
    };
    Object.assign(this, { times: 1, early: false, isFilling: false, hasFreeRows: false });
    const rows = query.kind === 'select' ? this.select(query) : this.set(query);
    Object.assign(this, outer);
    const limited = { ...rows, most: Math.min(rows.most, query.limit ?? Infinity) };
    this.queries.set(query, limited);
    return limited;
  }

  private set(query: ResolvedQuery & { kind: 'set' }): Rows {
    this.ctes(query);
    this.withs(query);
    const members = query.members.map((member) => this.query(member));
    const rows = members.map((member) => [...member.columns.values()]);
    const columns = query.columns.map(({ sqlName }, index): [string, Estimate] => [
      sqlName,
      anyOf(rows.flatMap((values) => values[index] ?? [])),
    ]);
    return {
      most: sum(members, (member) => member.most),
      joined: members.some((member) => member.joined),
      fan: Math.max(...members.map((member) => member.fan)),
      columns: new Map(columns),
    };
  }

  private select(query: ResolvedSelect): Rows {
    this.names = new Names(this.names);
    this.ctes(query);
    const sources = query.joins.map((join) => this.source(join.source));
    // An outer join keeps the rows of one side that find none of the other.
    const read = sources.reduce((product, rows) => product * Math.max(1, rows.most), 1);
    this.joined = sources.length > 1 || sources.some((rows) => rows.joined);
    this.readBehindJoin = this.joined || query.joins.some(({ source }) => source.lookups.size > 0);
    this.behindJoin = this.readBehindJoin;
    this.rows = read;
    this.fan = Math.max(1, ...sources.map((rows) => rows.fan));
    this.collected = Math.min(read, numbersMax);
    this.gathered = Number.isFinite(read)
      ? this.collected
      : Math.min(
          numbersMax,
          Math.max(
            usualCollected,
            sources.reduce((product, { most }) => product * (Number.isFinite(most) ? Math.max(1, most) : 1), 1),
          ),
        );
    this.withs(query);
    const items = (query.arrayJoin?.items ?? []).map(({ name, array }) => ({ name, list: this.expression(array) }));
    for (const { name, list } of items) this.name(name, list.item ?? textOf(list.bytes, list.made));
    if (items.length > 0) this.spread(anyOf(items.map(({ list }) => list)));
    this.each([...query.joins.map((join) => join.on), query.where]);
    const aggregated =
      query.groupBy.length === 0 && query.grouping === undefined && query.values.some((value) => value.aggregate);
    this.read = this.rows;
    if (aggregated) this.rows = 1;
    const isGrouped = aggregated || query.groupBy.length > 0 || query.grouping !== undefined;
    const columns = query.values.map((value, index): [string, Estimate] => {
      const name = query.columns[index]?.sqlName ?? '';
      this.behindJoin = this.readBehindJoin && !(isGrouped && value.aggregate);
      const estimate = this.expression(value);
      this.name(name, estimate);
      return [name, estimate];
    });
    this.behindJoin = this.readBehindJoin;
    this.each(query.groupBy);
    this.behindJoin = this.readBehindJoin && !isGrouped;
    this.each([
      query.having,
      ...query.windows.flatMap((window) => [...window.partitionBy, ...window.orderBy.map((item) => item.expr)]),
      query.qualify,
      ...query.orderBy.map((item) => item.expr),
      ...(query.limitBy?.exprs ?? []),
    ]);
    this.filled(query);
    return { most: this.rows, joined: this.joined, fan: isGrouped ? 1 : this.fan, columns: new Map(columns) };
  }

  // In their order, so that none waits for another inside it.
  private ctes(query: ResolvedQuery): void {
    for (const entry of query.withs) if (entry.kind === 'cte') this.query(entry.query);
  }

  private withs(query: ResolvedQuery): void {
    this.names = new Names(this.names);
    for (const entry of query.withs) if (entry.kind === 'scalar') this.name(entry.name, this.expression(entry.expr));
  }

  private name(name: string, estimate: Estimate): void {
    this.names.set(name, estimate);
  }

  private each(exprs: readonly (Resolved | undefined)[]): void {
    for (const expr of exprs) if (expr) this.expression(expr);
  }

  // How many rows are filled in is known to the run alone.
  private filled({ orderBy, interpolate = [] }: ResolvedSelect): void {
    this.before(orderBy.flatMap(({ fill }) => (fill ? [fill.from, fill.to, fill.step] : [])));
    const outer = { rows: this.rows, isFilling: this.isFilling };
    Object.assign(this, { rows: Infinity, isFilling: true });
    this.carried(interpolate);
    this.each(interpolate.map(({ value }) => value));
    Object.assign(this, outer);
  }

  // A filled row begins with the values of the one before: were they as large as can be, none may become larger.
  private carried(interpolate: readonly Interpolated[]): void {
    const texts = interpolate.flatMap(({ name, value }) =>
      value && value.kind !== 'name' && !isWord(ofType(value.type)) ? [{ name, value }] : [],
    );
    if (texts.length === 0) return;
    const outer = {
      known: this.known,
      names: this.names,
      joinedSteps: this.joinedSteps,
      dearest: this.dearest,
      dearestNanoseconds: this.dearestNanoseconds,
    };
    Object.assign(this, { known: new Map(), names: new Names(this.names), joinedSteps: new Steps() });
    for (const { name, value } of texts) this.name(name, largest(value));
    const sizes = texts.map(({ name, value }) => ({ name, value, size: this.expression(value) }));
    Object.assign(this, outer);
    for (const { name, value, size } of sizes) {
      if (size.bytes > largest(value).bytes) throw new QueryFault('wrong_arguments', boundedMessage.carried, value);
      // As large as can be: what came in, unchanged in size.
      if (size.bytes < largest(value).bytes) this.name(name, anyOf([size, this.names.get(name) ?? size]));
    }
  }

  // Where a value is fixed the engine takes no guard, and what is known of an expression may come from a place that has one.
  private before(exprs: readonly (Resolved | undefined)[]): void {
    const outer = { early: this.early, known: this.known };
    Object.assign(this, { early: true, known: new Map() });
    this.each(exprs);
    Object.assign(this, outer);
  }

  private source({ from }: Source): Omit<Rows, 'columns'> {
    if (from.kind === 'table') return { most: Infinity, joined: false, fan: 1 };
    if (from.kind === 'numbers') {
      this.before(from.args);
      return { most: numbersOf(from.args).rows, joined: false, fan: 1 };
    }
    return this.query(from.kind === 'cte' ? from.cte.query : from.query);
  }

  private expression(expr: Resolved): Estimate {
    const known = this.known.get(expr);
    if (known) return known;
    const estimate = this.estimate(expr);
    this.known.set(expr, estimate);
    return estimate;
  }

  private estimate(expr: Resolved): Estimate {
    switch (expr.kind) {
      case 'constant':
        return this.constant(expr.value);
      case 'fixed':
        return { ...textOf(expr.text.length, true), text: expr.text };
      case 'column':
        return this.column(expr);
      case 'name':
        return this.names.get(expr.name) ?? ofType(expr.type);
      case 'json':
        return this.spend(
          expr,
          this.expression(expr.base).bytes * 10,
          ofType(expr.type, this.expression(expr.base).made),
        );
      case 'lambda':
        return this.expression(expr.body);
      case 'window':
        this.each([...expr.over.partitionBy, ...expr.over.orderBy.map((item) => item.expr)]);
        // Rows are sorted for it, and come in blocks of the size that was asked for.
        this.steps.add(this.read, 1, frameNanoseconds(expr.over, expr.call, this.read, expr));
        return this.expression(expr.call);
      case 'query': {
        const rows = this.query(expr.query);
        const columns = [...rows.columns.values()];
        return columns[0] && columns.length === 1 ? columns[0] : ofType(expr.type);
      }
      case 'call':
        return this.call(expr);
    }
  }

  // A list or a long text that a query names many times is looked at once.
  private constant(value: ConstantValue): Estimate {
    if (typeof value === 'string' ? value.length < longText : !Array.isArray(value)) return ofConstant(value);
    const known = this.looked.get(value) ?? ofConstant(value);
    this.looked.set(value, known);
    return known;
  }

  private column({ source, place, type }: ResolvedColumn): Estimate {
    const { from } = source;
    if (from.kind === 'numbers') return small(true, numbersOf(from.args).most);
    if (from.kind === 'table') return ofType(type);
    const rows = this.query(from.kind === 'cte' ? from.cte.query : from.query);
    return rows.columns.get(place.column) ?? ofType(type);
  }

  // Arguments of an aggregate are computed for each row that it reads.
  private call(expr: ResolvedCall): Estimate {
    if (!expr.aggregate || expr.args.some((arg) => arg.aggregate)) return this.called(expr);
    const outer = { rows: this.rows, behindJoin: this.behindJoin };
    Object.assign(this, { rows: this.read, behindJoin: this.readBehindJoin });
    const result = this.called(expr);
    Object.assign(this, outer);
    return result;
  }

  private called(expr: ResolvedCall): Estimate {
    spend(costOf.estimate, expr);
    const lambda = expr.args.find((arg) => arg.kind === 'lambda');
    const values = expr.args.filter((arg) => arg.kind !== 'lambda').map((arg) => this.expression(arg));
    const body = lambda && this.lambda(lambda, values);
    if (expr.aggregate && collecting.test(expr.name)) return this.spend(expr, 50, this.collect(expr, values));
    const size = (Object.hasOwn(sizes, expr.name) ? sizes[expr.name] : undefined) ?? plainSize;
    const sized = pattern(expr, values, size(values, expr, body));
    const longest = sized.made || sized.item || expr.type.kind !== 'text' ? undefined : longestMade(expr, values, size);
    const result = longest === undefined ? sized : { ...sized, longest: Math.min(longest, grownBytesMax) };
    const maker =
      guardedMaker(expr, values, result) ?? (longest === undefined ? undefined : guardedGrowth(expr, values, longest));
    const steep = Object.hasOwn(steepCalls, expr.name)
      ? steepCalls[expr.name]?.(expr, values, this.weights)
      : undefined;
    const guarded = steep?.guarded ?? maker;
    if (guarded && this.early) throw new QueryFault('wrong_arguments', boundedMessage.early(expr.name), expr);
    if (guarded) this.guarded.set(expr, guarded);
    if (expr.name === 'arrayJoin') {
      this.spread(values[0] ?? small(true));
      this.hasFreeRows ||= !expr.local;
    }
    return this.spend(
      expr,
      20 +
        (steep?.nanoseconds ??
          sum(hashed.has(expr.name) ? values.slice(0, 1) : values, (value) => value.leaves) * nanosecondsOf(expr.name) +
            result.bytes),
      result,
      guarded !== undefined,
    );
  }

  // Rows of lists: a row of a block becomes as many rows of the same block.
  private spread({ items, made }: Estimate): void {
    const most = Math.max(1, items);
    this.rows *= most;
    this.fan *= most;
    this.collected = Math.min(this.rows, numbersMax);
    if (made || Number.isFinite(this.rows)) this.gathered = Math.min(this.gathered * most, numbersMax);
  }

  private lambda(lambda: Resolved & { kind: 'lambda' }, lists: readonly Estimate[]): Estimate {
    const outer = { names: this.names, times: this.times };
    const items = Math.max(1, ...lists.map((list) => list.items));
    this.names = new Names(this.names);
    // The key and the value of a map are each as large as an item at most.
    const other = lists.length === 1 ? (lists[0]?.item ?? textOf(100, lists[0]?.made ?? true)) : small(true);
    for (const [index, name] of lambda.args.entries()) this.names.set(name, lists[index]?.item ?? other);
    this.times *= items;
    const body = this.expression(lambda.body);
    Object.assign(this, outer);
    return body;
  }

  private collect(expr: ResolvedCall, [item = small(true)]: readonly Estimate[]): Estimate {
    const most =
      expr.params.map((param) => (param.kind === 'constant' ? Number(param.value) : Infinity))[0] ?? Infinity;
    const items = Math.min(item.made ? this.collected : this.gathered, Number.isNaN(most) ? Infinity : most);
    return expr.type.kind === 'text' ? textOf(items * (item.bytes + 1), false) : listOf(items, item, false);
  }

  // An expression that reads no row is computed once, except a guard, which is never taken for a constant.
  private spend(expr: Resolved, nanoseconds: number, result: Estimate, guarded = false): Estimate {
    const once = !expr.local && !expr.aggregate && !guarded && !this.hasFreeRows;
    const spent = once ? nanoseconds : nanoseconds * this.times;
    const isOwnSize = this.isFilling || (this.joined && result.made);
    const [rows, fan] = once ? [1, 1] : [this.rows, this.fan];
    (isOwnSize ? this.joinedSteps : this.steps).add(rows, fan, spent);
    if (
      this.behindJoin &&
      !isOwnSize &&
      (spent >= dearNanoseconds || (expr.kind === 'call' && !merging.has(expr.name)))
    )
      this.behindJoinSteps.add(rows, fan, spent);
    if (spent > this.dearestNanoseconds) [this.dearest, this.dearestNanoseconds] = [expr, spent];
    return result;
  }
}

// One of a table, so that no call in it is refused before it is known to grow.
function largest({ type }: Resolved): Estimate {
  return type.kind === 'array' ? listOf(madeBytesMax / 16, small(false), false) : textOf(madeBytesMax, false);
}

// Texts that are put together of written ones are written out too: '^' || {variables.x}. Each is a copy, so none is longer than a pattern.
function pattern(expr: ResolvedCall, args: readonly Estimate[], result: Estimate): Estimate {
  const texts = args.map((arg) => arg.text);
  if (expr.name === 'concat' && result.bytes <= patternBytesMax && texts.every((text) => text !== undefined))
    return { ...result, text: texts.join('') };
  return (expr.name === 'ifNull' || expr.name === 'assumeNotNull' || expr.name === 'toString') && texts[0] !== undefined
    ? { ...result, text: texts[0] }
    : result;
}

function numbersOf(args: readonly Resolved[]): { rows: number; most: number } {
  const values = args.map((arg) => (arg.kind === 'constant' ? Number(arg.value) : undefined));
  const rows = (values.length === 1 ? values[0] : values[1]) ?? numbersMax;
  const from = values.length === 1 ? 0 : (values[0] ?? Number.MAX_SAFE_INTEGER);
  return { rows, most: from + rows };
}

function ofConstant(value: ConstantValue): Estimate {
  if (typeof value === 'string') return { ...textOf(Buffer.byteLength(value), true), text: value };
  if (typeof value === 'number' || typeof value === 'bigint') return small(true, Math.abs(Number(value)));
  if (Array.isArray(value)) return listOf(value.length, ofItems(value as readonly ConstantValue[]), true);
  return small(true);
}

// The most of each kind says it all: to make an estimate of each item takes ten times as long.
function ofItems(values: readonly ConstantValue[]): Estimate {
  if (values.length < 2) return anyOf(values.map(ofConstant));
  const [found, others] = [{ bytes: 0, most: 0, hasTexts: false, hasNulls: false }, new Array<ConstantValue>()];
  for (const value of values) {
    if (typeof value === 'string')
      [found.hasTexts, found.bytes] = [true, Math.max(found.bytes, Buffer.byteLength(value))];
    else if (typeof value === 'number' || typeof value === 'bigint')
      found.most = Math.max(found.most, Math.abs(Number(value)));
    else if (Array.isArray(value)) others.push(value);
    else found.hasNulls = true;
  }
  const scalar = found.hasTexts ? textOf(found.bytes, true) : found.hasNulls ? small(true) : small(true, found.most);
  return others.length === 0
    ? scalar
    : anyOf([...(others.length < values.length ? [scalar] : []), ...others.map(ofConstant)]);
}
