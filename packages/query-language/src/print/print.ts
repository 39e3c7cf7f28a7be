import { costOf, spend } from '../budget.ts';
import { LookupJoins } from './print-lookups.ts';
import { ParameterList } from '../parameters.ts';
import { printConstant } from './print-constant.ts';
import { locationSql } from './print-location.ts';
import { SpanError, type Span } from '../query-error.ts';
import { frameSql, limits, readsThroughSubQuery, readVersions, groupsOf } from './print-clauses.ts';
import type {
  Resolved,
  ResolvedArrayJoin,
  ResolvedColumn,
  ResolvedFill,
  ResolvedJoin,
  ResolvedOrder,
  ResolvedQuery,
  ResolvedSelect,
  ResolvedSet,
  ResolvedWindow,
  Source,
} from '../resolved.ts';
import { isComposite } from '../types.ts';
import { quoteName, quoteText } from '../quote.ts';

// The engine's own limit (max_query_size) is 256 KB.
const sqlLengthMax = 250_000;
const nowhere: Span = { start: 0, end: 0 };

/** Prints ClickHouse SQL. Everything in it is a word of ours, a checked and quoted alias, a literal that was made here, or a bound parameter. */
export class Printer {
  readonly parameters = new ParameterList();
  private written = 0;
  /** Keys of the SELECT being printed that must be able to be NULL, as they print otherwise. */
  private opened: ReadonlySet<string> = new Set();
  private readonly guarded: ReadonlyMap<Resolved, Resolved>;

  /** `guarded` maps calls to the guarded ones that are printed in their place. */
  constructor(guarded: ReadonlyMap<Resolved, Resolved> = new Map()) {
    this.guarded = guarded;
  }

  query(query: ResolvedQuery): string {
    const before = this.written;
    const sql = query.kind === 'select' ? this.select(query) : this.set(query);
    return this.counted(before, sql, (query.kind === 'select' ? query.values[0] : undefined) ?? nowhere);
  }

  private select(query: ResolvedSelect): string {
    const outer = this.opened;
    this.opened = new Set();
    this.opened = new Set((query.grouping?.firm ?? []).map((key) => this.expression(key)));
    const { opened } = this;
    // The columns first: they say which columns a table's sub-query must give.
    const values = query.values.map(
      (value, index) => `${this.expression(value)} AS ${quoteName(query.columns[index]?.sqlName ?? '')}`,
    );
    // Rows are filtered before there are groups.
    this.opened = new Set();
    const where = query.where ? ` WHERE ${this.expression(query.where)}` : '';
    this.opened = opened;
    const rest = [
      where,
      this.groupBy(query),
      query.having ? ` HAVING ${this.expression(query.having)}` : '',
      query.windows.length > 0
        ? ` WINDOW ${query.windows.map((window) => `${quoteName(window.name ?? '')} AS (${this.window(window)})`).join(', ')}`
        : '',
      query.qualify ? ` QUALIFY ${this.expression(query.qualify)}` : '',
      query.orderBy.length > 0 ? ` ORDER BY ${query.orderBy.map((item) => this.order(item)).join(', ')}` : '',
      query.interpolate ? this.interpolate(query.interpolate) : '',
      query.limitBy ? `${limits(query.limitBy)} BY ${this.list(query.limitBy.exprs)}` : '',
    ].join('');
    this.opened = new Set();
    const arrayJoin = query.arrayJoin ? this.arrayJoin(query.arrayJoin) : '';
    const conditions = query.joins.map((join) => (join.on ? ` ON ${this.expression(join.on)}` : ''));
    const withs = this.withs(query);
    const from = query.joins.map((join, index) => this.join(join) + (conditions[index] ?? '')).join('');
    this.opened = outer;
    return `${withs}SELECT ${query.distinct ? 'DISTINCT ' : ''}${joined(values)}${from}${arrayJoin}${rest}${limits(query)}${query.withTies ? ' WITH TIES' : ''}`;
  }

  private groupBy({ groupBy, grouping }: ResolvedSelect): string {
    if (grouping?.sql === 'GROUPING SETS')
      return ` GROUP BY GROUPING SETS (${grouping.sets.map((keys) => `(${this.list(keys)})`).join(', ')})`;
    if (groupBy.length === 0) return '';
    return grouping ? ` GROUP BY ${grouping.sql}(${this.list(groupBy)})` : ` GROUP BY ${this.list(groupBy)}`;
  }

  private set(query: ResolvedSet): string {
    const withs = this.withs(query);
    const members = query.members
      .map((member, index) => `${index === 0 ? '' : ` ${query.operators[index - 1]} `}(${this.query(member)})`)
      .join('');
    if (withs === '' && query.limit === undefined && query.offset === undefined) return members;
    return `${withs}SELECT * FROM (${members})${limits(query)}`;
  }

  private withs(query: ResolvedQuery): string {
    const parts = query.withs.map((entry) =>
      entry.kind === 'cte'
        ? `${quoteName(entry.name)} AS (${this.query(entry.query)})`
        : `${this.expression(entry.expr)} AS ${quoteName(entry.name)}`,
    );
    const recursive = query.withs.some((entry) => entry.kind === 'cte' && entry.recursive) ? 'RECURSIVE ' : '';
    return parts.length > 0 ? `WITH ${recursive}${joined(parts)} ` : '';
  }

  private join(join: ResolvedJoin): string {
    return ` ${join.type} ${this.source(join.source)}`;
  }

  private arrayJoin({ left, items }: ResolvedArrayJoin): string {
    return `${left ? ' LEFT' : ''} ARRAY JOIN ${items.map(({ name, array }) => `${this.expression(array)} AS ${quoteName(name)}`).join(', ')}`;
  }

  private source(source: Source): string {
    const alias = quoteName(source.alias);
    if (readsThroughSubQuery(source)) return `(${this.subQueryOf(source)}) AS ${alias}`;
    return `${this.rows(source)} AS ${alias}`;
  }

  private rows(source: Source): string {
    const { from } = source;
    if (from.kind === 'table') return from.table.physical;
    if (from.kind === 'stored') return from.rows.physical;
    if (from.kind === 'numbers') return `numbers(${this.list(from.args)})`;
    return from.kind === 'cte' ? quoteName(from.cte.name) : `(${this.query(from.query)})`;
  }

  // Only the columns that are read, so that single properties stay single reads.
  private subQueryOf(source: Source): string {
    const needed = [...source.needed.values()];
    const lookups = source.lookups.size > 0 ? new LookupJoins([...source.lookups.values()]) : undefined;
    const versions = source.from.kind === 'table' ? source.from.table.versions : undefined;
    const rows = this.rows(source);
    const locations = needed.map(({ location }) => location);
    const read = versions
      ? readVersions(versions, locations, rows)
      : {
          columns: locations.map((location) => lookups?.column(location) ?? locationSql(location, '')),
          from: rows + (lookups?.joins() ?? groupsOf(source)),
        };
    const columns = needed.map(({ name, location, type }, index) => {
      const widen = source.optional && location.key === undefined && !isComposite(type);
      return `${widen ? `toNullable(${read.columns[index]})` : read.columns[index]} AS ${quoteName(name)}`;
    });
    return `SELECT ${columns.length > 0 ? joined(columns) : '1 AS `__none`'} FROM ${read.from}`;
  }

  private order(item: ResolvedOrder): string {
    return `${this.expression(item.expr)} ${item.order}${item.nulls ? ` NULLS ${item.nulls}` : ''}${item.fill ? this.fill(item.fill) : ''}`;
  }

  private fill({ from, to, step }: ResolvedFill): string {
    return ` WITH FILL${from ? ` FROM ${this.expression(from)}` : ''}${to ? ` TO ${this.expression(to)}` : ''}${step ? ` STEP ${this.expression(step)}` : ''}`;
  }

  private interpolate(list: NonNullable<ResolvedSelect['interpolate']>): string {
    return ` INTERPOLATE (${list.map(({ name, value }) => quoteName(name) + (value ? ` AS ${this.expression(value)}` : '')).join(', ')})`;
  }

  private list(exprs: readonly Resolved[]): string {
    return joined(exprs.map((expr) => this.expression(expr)));
  }

  expression(expr: Resolved): string {
    spend(costOf.print, expr);
    const before = this.written;
    const plain = this.print(this.guarded.get(expr) ?? expr);
    const sql = this.opened.size > 0 && this.opened.has(plain) ? `toNullable(${plain})` : plain;
    return this.counted(before, sql, expr);
  }

  // Its parts are counted by now, and all of them are in it: the sum is what the whole query has, never more.
  private counted(before: number, sql: string, span: Span): string {
    this.written = Math.max(this.written, before + sql.length);
    refuseLong(this.written, span);
    return sql;
  }

  private print(expr: Resolved): string {
    switch (expr.kind) {
      case 'constant':
        return printConstant(expr.value, expr.type, this.parameters);
      case 'fixed':
        return quoteText(expr.text);
      case 'column':
        return this.column(expr);
      case 'name':
        return quoteName(expr.name);
      case 'json':
        return `JSONExtract(${[this.expression(expr.base), ...expr.path.map((part) => (typeof part === 'number' ? String(part) : quoteText(part)))].join(', ')}, 'Nullable(String)')`;
      case 'lambda':
        return `(${expr.args.map(quoteName).join(', ')}) -> ${this.expression(expr.body)}`;
      case 'window':
        return `${this.expression(expr.call)} OVER ${expr.over.name === undefined ? `(${this.window(expr.over)})` : quoteName(expr.over.name)}`;
      case 'query':
        return `(${this.query(expr.query)})`;
      case 'call':
        return this.call(expr);
    }
  }

  private call(expr: Resolved & { kind: 'call' }): string {
    const params = expr.params.length > 0 ? `(${this.list(expr.params)})` : '';
    const [only] = expr.args;
    // exists((SELECT …)) would be a scalar sub-query.
    if (expr.name === 'exists' && only?.kind === 'query') return `exists(${this.query(only.query)})`;
    return `${expr.name}${params}(${expr.distinct ? 'DISTINCT ' : ''}${this.list(expr.args)})`;
  }

  private window({ partitionBy, orderBy, frame }: ResolvedWindow): string {
    const parts = [
      partitionBy.length > 0 ? `PARTITION BY ${this.list(partitionBy)}` : '',
      orderBy.length > 0 ? `ORDER BY ${orderBy.map((item) => this.order(item)).join(', ')}` : '',
      frame ? frameSql(frame) : '',
    ];
    return parts.filter((part) => part !== '').join(' ');
  }

  private column(expr: ResolvedColumn): string {
    return expr.opened ? `toNullable(${this.stored(expr)})` : this.stored(expr);
  }

  private stored(expr: ResolvedColumn): string {
    const prefix = `${quoteName(expr.source.alias)}.`;
    if (!readsThroughSubQuery(expr.source)) return locationSql(expr.location, prefix);
    const { needed } = expr.source;
    const key = `${expr.location.join?.name ?? expr.location.oneToMany?.name ?? ''} ${locationSql(expr.location, '')}`;
    // A query may have columns of its own that are called c0 or c1.
    const letter = expr.source.from.kind === 'table' ? 'c' : '__n';
    const known = needed.get(key) ?? { name: letter + needed.size, location: expr.location, type: expr.type };
    needed.set(key, known);
    return prefix + quoteName(known.name);
  }
}

/** Throws `query_too_large` for SQL of more characters than the engine is sent. */
export function refuseLong(length: number, span: Span): void {
  if (length > sqlLengthMax)
    throw new SpanError(
      'query_too_large',
      `The query becomes more than ${sqlLengthMax} characters of ClickHouse SQL. Name the columns that you need instead of *, name long expressions in WITH, or split the query into several`,
      span,
    );
}

// Put together as ropes, which the engine of JavaScript writes out once, at the end: what is nested is not copied with each level.
function joined(parts: readonly string[]): string {
  let text = parts[0] ?? '';
  for (let at = 1; at < parts.length; at += 1) text += `, ${parts[at] ?? ''}`;
  return text;
}
