import { collectedValues, isCollecting } from './collected-values.ts';
import { anyOf, isWord, listOf, ofType, small, sum, textOf, type Estimate } from './estimate.ts';
import { frameNanoseconds } from './frames.ts';
import { madeBytesMax } from './limits.ts';
import { boundedMessage } from './messages.ts';
import { Names } from './names.ts';
import { numbersOf } from './numbers.ts';
import { readSources, spreadRows, withoutRows, type SourceRows } from './row-context.ts';
import { sizedCall } from './sized-call.ts';
import { SpentWork } from './spent-work.ts';
import { steepCalls } from './steep.ts';
import { Weights } from './weights.ts';
import { WrittenValues } from './written-values.ts';
import { costOf, spend } from '../budget.ts';
import { nanosecondsOf } from '../functions/function-cost.ts';
import { SpanError } from '../query-error.ts';
import type { Resolved, ResolvedCall, ResolvedColumn, ResolvedQuery, ResolvedSelect, Source } from '../resolved.ts';

type Interpolated = NonNullable<ResolvedSelect['interpolate']>[number];

/** Estimate of a query's rows. */
interface Rows extends SourceRows {
  columns: ReadonlyMap<string, Estimate>;
}

// Their lists are made sets once.
const hashed: ReadonlySet<string> = new Set(['in', 'notIn', 'transform']);

/** Goes through a resolved query once and adds up what each of its steps costs for a row. */
export class Estimator {
  readonly guarded = new Map<Resolved, Resolved>();
  readonly spent = new SpentWork();
  private known = new Map<Resolved, Estimate>();
  private readonly written = new WrittenValues();
  private readonly queries = new Map<ResolvedQuery, Rows>();
  private readonly weights = new Weights();
  private names = new Names();
  private context = withoutRows();

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
    const outer = { names: this.names, context: this.context };
    this.context = { ...this.context, times: 1, early: false, isFilling: false, hasFreeRows: false };
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
    const { context } = this;
    readSources(context, query, sources);
    this.withs(query);
    const items = (query.arrayJoin?.items ?? []).map(({ name, array }) => ({ name, list: this.expression(array) }));
    for (const { name, list } of items) this.name(name, list.item ?? textOf(list.bytes, list.made));
    if (items.length > 0) {
      const list = anyOf(items.map((item) => item.list));
      spreadRows(context, list.items, list.made);
    }
    this.each([...query.joins.map((join) => join.on), query.where]);
    const aggregated =
      query.groupBy.length === 0 && query.grouping === undefined && query.values.some((value) => value.aggregate);
    context.read = context.rows;
    if (aggregated) context.rows = 1;
    const isGrouped = aggregated || query.groupBy.length > 0 || query.grouping !== undefined;
    const columns = query.values.map((value, index): [string, Estimate] => {
      const name = query.columns[index]?.sqlName ?? '';
      context.behindJoin = context.readBehindJoin && !(isGrouped && value.aggregate);
      const estimate = this.expression(value);
      this.name(name, estimate);
      return [name, estimate];
    });
    context.behindJoin = context.readBehindJoin;
    this.each(query.groupBy);
    context.behindJoin = context.readBehindJoin && !isGrouped;
    this.each([
      query.having,
      ...query.windows.flatMap((window) => [...window.partitionBy, ...window.orderBy.map((item) => item.expr)]),
      query.qualify,
      ...query.orderBy.map((item) => item.expr),
      ...(query.limitBy?.exprs ?? []),
    ]);
    this.filled(query);
    return { most: context.rows, joined: context.joined, fan: isGrouped ? 1 : context.fan, columns: new Map(columns) };
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
    const { rows, isFilling } = this.context;
    Object.assign(this.context, { rows: Infinity, isFilling: true });
    this.carried(interpolate);
    this.each(interpolate.map(({ value }) => value));
    Object.assign(this.context, { rows, isFilling });
  }

  // A filled row begins with the values of the one before: were they as large as can be, none may become larger.
  private carried(interpolate: readonly Interpolated[]): void {
    const texts = interpolate.flatMap(({ name, value }) =>
      value && value.kind !== 'name' && !isWord(ofType(value.type)) ? [{ name, value }] : [],
    );
    if (texts.length === 0) return;
    const outer = { known: this.known, names: this.names };
    Object.assign(this, { known: new Map(), names: new Names(this.names) });
    const sizes = this.spent.withoutFilled(() => {
      for (const { name, value } of texts) this.name(name, largest(value));
      return texts.map(({ name, value }) => ({ name, value, size: this.expression(value) }));
    });
    Object.assign(this, outer);
    for (const { name, value, size } of sizes) {
      if (size.bytes > largest(value).bytes) throw new SpanError('wrong_arguments', boundedMessage.carried, value);
      // As large as can be: what came in, unchanged in size.
      if (size.bytes < largest(value).bytes) this.name(name, anyOf([size, this.names.get(name) ?? size]));
    }
  }

  // The engine takes no guard in clauses with fixed values. Sizes known from elsewhere may rest on a guard, so none of
  // them counts here.
  private before(exprs: readonly (Resolved | undefined)[]): void {
    const [{ early }, known] = [this.context, this.known];
    this.context.early = true;
    this.known = new Map();
    this.each(exprs);
    this.context.early = early;
    this.known = known;
  }

  private source({ from }: Source): SourceRows {
    if (from.kind === 'table' || from.kind === 'stored') return { most: Infinity, joined: false, fan: 1 };
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
        return this.written.of(expr.value);
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
      case 'window': {
        const { read } = this.context;
        this.each([...expr.over.partitionBy, ...expr.over.orderBy.map((item) => item.expr)]);
        // Rows are sorted for it, and come in blocks of the requested size.
        this.spent.steps.add(read, 1, frameNanoseconds(expr.over, expr.call, read, expr));
        return this.expression(expr.call);
      }
      case 'query': {
        const rows = this.query(expr.query);
        const columns = [...rows.columns.values()];
        return columns[0] && columns.length === 1 ? columns[0] : ofType(expr.type);
      }
      case 'call':
        return this.call(expr);
    }
  }

  private column({ source, location, type }: ResolvedColumn): Estimate {
    const { from } = source;
    if (from.kind === 'numbers') return small(true, numbersOf(from.args).most);
    if (from.kind === 'table' || from.kind === 'stored') return ofType(type);
    const rows = this.query(from.kind === 'cte' ? from.cte.query : from.query);
    return rows.columns.get(location.column) ?? ofType(type);
  }

  // Arguments of an aggregate are computed for each row that it reads.
  private call(expr: ResolvedCall): Estimate {
    if (!expr.aggregate || expr.args.some((arg) => arg.aggregate)) return this.called(expr);
    const { rows, behindJoin, read, readBehindJoin } = this.context;
    Object.assign(this.context, { rows: read, behindJoin: readBehindJoin });
    const result = this.called(expr);
    Object.assign(this.context, { rows, behindJoin });
    return result;
  }

  private called(expr: ResolvedCall): Estimate {
    spend(costOf.estimate, expr);
    const lambda = expr.args.find((arg) => arg.kind === 'lambda');
    const values = expr.args.filter((arg) => arg.kind !== 'lambda').map((arg) => this.expression(arg));
    const body = lambda && this.lambda(lambda, values);
    if (isCollecting(expr)) return this.spend(expr, 50, collectedValues(expr, values, this.context));
    const { result, guarded: maker } = sizedCall(expr, values, body);
    const steep = Object.hasOwn(steepCalls, expr.name)
      ? steepCalls[expr.name]?.(expr, values, this.weights)
      : undefined;
    const guarded = steep?.guarded ?? maker;
    if (guarded && this.context.early) throw new SpanError('wrong_arguments', boundedMessage.early(expr.name), expr);
    if (guarded) this.guarded.set(expr, guarded);
    if (expr.name === 'arrayJoin') {
      const { items, made } = values[0] ?? small(true);
      spreadRows(this.context, items, made);
      this.context.hasFreeRows ||= !expr.local;
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

  private lambda(lambda: Resolved & { kind: 'lambda' }, lists: readonly Estimate[]): Estimate {
    const { names, context } = this;
    const { times } = context;
    const items = Math.max(1, ...lists.map((list) => list.items));
    this.names = new Names(this.names);
    // The key and the value of a map are each as large as an item at most.
    const other = lists.length === 1 ? (lists[0]?.item ?? textOf(100, lists[0]?.made ?? true)) : small(true);
    for (const [index, name] of lambda.args.entries()) this.names.set(name, lists[index]?.item ?? other);
    context.times *= items;
    const body = this.expression(lambda.body);
    [this.names, context.times] = [names, times];
    return body;
  }

  private spend(expr: Resolved, nanoseconds: number, result: Estimate, isGuarded = false): Estimate {
    this.spent.add(expr, nanoseconds, result.made, isGuarded, this.context);
    return result;
  }
}

// One of a table, so that no call in it is refused before it is known to grow.
function largest({ type }: Resolved): Estimate {
  return type.kind === 'array' ? listOf(madeBytesMax / 16, small(false), false) : textOf(madeBytesMax, false);
}
