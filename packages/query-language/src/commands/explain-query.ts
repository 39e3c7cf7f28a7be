import type {
  OutputColumn,
  Resolved,
  ResolvedCte,
  ResolvedJoin,
  ResolvedQuery,
  ResolvedSelect,
  ResolvedSet,
  Source,
} from '../resolved.ts';
import { conditionsOf, partsOfSelect } from './query-parts.ts';
import { boundsOfDays, columnName, lookupNames } from './table-reads.ts';
import { namesOf, wordsAt } from './written-words.ts';

const linesMax = 500;
const lineLengthMax = 1_000;
const indentMax = 20;

/**
 * How a query is computed, a line for each step: from the last one to the tables that are read, steps inside others indented. It has the
 * author's words and names of the language alone; values of a run are not among them. Spends of the budget around it.
 */
export function explainQuery(query: ResolvedQuery, text: string): string[] {
  const plan = new Plan(text);
  plan.query(query, 0, false);
  return plan.lines;
}

type Parts = ReturnType<typeof partsOfSelect>;

class Plan {
  readonly lines: string[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** `isFiltered`: something around it leaves rows out, which ClickHouse may do inside. */
  query(query: ResolvedQuery, depth: number, isFiltered: boolean): void {
    if (this.lines.length > linesMax) return;
    if (query.kind === 'select') this.select(query, depth, isFiltered);
    else this.set(query, depth, isFiltered);
    for (const entry of query.withs) if (entry.kind === 'cte') this.cte(entry, depth);
  }

  private cte({ written, query, recursive }: ResolvedCte, depth: number): void {
    this.line(depth, `WITH ${recursive ? 'RECURSIVE ' : ''}${written}`);
    this.query(query, depth + 1, true);
  }

  private set({ members, operators, ...limits }: ResolvedSet, depth: number, isFiltered: boolean): void {
    const inside = this.limits(limits, depth);
    this.line(inside, [...new Set(operators)].join(', '));
    for (const member of members) this.query(member, inside + 1, isFiltered || limits.limit !== undefined);
  }

  private limits({ limit, offset }: Pick<ResolvedSelect, 'limit' | 'offset'>, depth: number, behind = ''): number {
    const parts = [
      ...(limit === undefined ? [] : [`Limit ${limit}${behind}`]),
      ...(offset ? [`${limit === undefined ? 'O' : 'o'}ffset ${offset}`] : []),
    ];
    if (parts.length === 0) return depth;
    this.line(depth, parts.join(', '));
    return depth + 1;
  }

  private select(select: ResolvedSelect, depth: number, isFiltered: boolean): void {
    const parts = partsOfSelect(select);
    const first = this.limits(select, depth, select.withTies ? ' with ties' : '');
    const steps = this.steps(select, parts);
    steps.forEach((words, at) => this.line(first + at, words));
    const inside = first + steps.length;
    const mayLeaveOut = isFiltered || select.having !== undefined || select.limit !== undefined;
    this.joined(select.joins, parts, inside, mayLeaveOut);
    for (const query of parts.queries) {
      this.line(inside, 'Sub-query');
      this.query(query, inside + 1, false);
    }
  }

  // From the last step to the first.
  private steps(select: ResolvedSelect, { aggregates, windows, conditions }: Parts): string[] {
    const { limitBy, orderBy, qualify, having, groupBy, arrayJoin } = select;
    const lists =
      arrayJoin &&
      wordsAt(
        this.text,
        arrayJoin.items.map(({ array }) => array),
      ).join(', ');
    return [
      limitBy && `Limit ${limitBy.limit ?? ''} by ${this.keys(select, limitBy.exprs)}`,
      orderBy.length > 0 && `Sort by ${this.sorting(select)}`,
      select.distinct && 'Distinct',
      qualify && `Keep ${this.all(conditionsOf(qualify))}`,
      windows.length > 0 && `Windows: ${wordsAt(this.text, windows).join(', ')}`,
      having && `Keep groups: ${this.all(conditionsOf(having))}`,
      (groupBy.length > 0 || select.grouping || aggregates.length > 0) && this.groups(select, aggregates),
      conditions.length > 0 && `Filter ${this.all(conditions)}`,
      arrayJoin && `${arrayJoin.left ? 'Left array join' : 'Array join'} ${lists}`,
    ].filter((step) => typeof step === 'string');
  }

  private all(conditions: readonly Resolved[]): string {
    return wordsAt(this.text, conditions).join(' and ');
  }

  private sorting(select: ResolvedSelect): string {
    const keys = select.orderBy
      .slice(0, 100)
      .map(({ expr, order, nulls, fill }) =>
        [
          this.keys(select, [expr]),
          ...(order === 'DESC' ? ['DESC'] : []),
          ...(nulls ? [`NULLS ${nulls}`] : []),
          ...(fill ? ['with fill'] : []),
        ].join(' '),
      );
    return namesOf(keys).join(', ');
  }

  private groups(select: ResolvedSelect, aggregates: readonly Resolved[]): string {
    const { groupBy, grouping } = select;
    const keys = this.keys(select, grouping?.sets.length ? grouping.sets.flat() : groupBy);
    const by = grouping ? `${grouping.sql.toLowerCase()} (${keys})` : keys;
    const computed = wordsAt(this.text, aggregates).join(', ');
    return `${keys === '' ? 'Aggregate' : `Group by ${by}`}${computed === '' ? '' : `: ${computed}`}`;
  }

  // A key that is a column of the SELECT, also by its place or by ALL, has the name of that.
  private keys({ columns }: ResolvedSelect, exprs: readonly Resolved[]): string {
    const named = exprs.slice(0, 100).map((expr) => {
      // A property is sorted by its number as well.
      const key = (expr.kind === 'call' && expr.args.find(({ kind }) => kind === 'name')) || expr;
      const column = key.kind === 'name' && key.end === expr.end ? byName(columns, key.name) : undefined;
      return column?.name ?? wordsAt(this.text, [expr]).join('');
    });
    return namesOf(named).join(', ');
  }

  // Joins go from the left: each has all before it on one side.
  private joined(joins: readonly ResolvedJoin[], parts: Parts, depth: number, isFiltered: boolean): void {
    const last = joins[joins.length - 1];
    if (!last) return this.line(depth, 'One row');
    if (joins.length === 1) return this.source(last.source, parts, depth, isFiltered);
    const on = last.on ? ` on ${this.all(conditionsOf(last.on))}` : '';
    this.line(depth, `${last.type.charAt(0)}${last.type.slice(1).toLowerCase()}${on}`);
    this.joined(joins.slice(0, -1), parts, depth + 1, true);
    this.source(last.source, parts, depth + 1, true);
  }

  private source(source: Source, parts: Parts, depth: number, isFiltered: boolean): void {
    const { from, name } = source;
    if (from.kind === 'query') {
      this.line(depth, name === undefined ? 'Sub-query' : `Sub-query ${name}`);
      return this.query(from.query, depth + 1, isFiltered || parts.conditions.length > 0);
    }
    if (from.kind === 'cte') return this.line(depth, `Read ${from.cte.written}${aliasOf(from.cte.written, name)}`);
    if (from.kind === 'numbers') return this.line(depth, 'Read numbers');
    if (from.kind === 'stored') return this.line(depth, `Read ${name ?? 'a stored result'}`);
    const { table } = from;
    const columns = namesOf((parts.columns.get(source) ?? []).map((column) => columnName(table, column)));
    this.line(
      depth,
      `Read ${table.name}${aliasOf(table.name, name)}${columns.length === 0 ? '' : ': '}${columns.join(', ')}`,
    );
    const days = this.days(source, parts, isFiltered);
    if (days !== undefined) this.line(depth + 1, `Days: ${days}`);
    const lookups = lookupNames(source);
    if (lookups.length > 0) this.line(depth + 1, `Looked up for each row: ${lookups.join(', ')}`);
  }

  // Events are stored by day. When the read days are not certain, they are not shown.
  private days(source: Source, { conditions }: Parts, isFiltered: boolean): string | undefined {
    const table = source.from.kind === 'table' ? source.from.table : undefined;
    if (table?.groupedBy !== undefined) return 'all, as sessions are computed from their events';
    if (table?.name !== 'events') return undefined;
    const bounds = boundsOfDays(source, conditions);
    if (bounds.length > 0) return this.all(bounds);
    return conditions.length === 0 && !isFiltered ? 'all' : undefined;
  }

  private line(depth: number, words: string): void {
    const line = '  '.repeat(Math.min(depth, indentMax)) + words;
    if (this.lines.length < linesMax)
      this.lines.push(line.length > lineLengthMax ? `${line.slice(0, lineLengthMax)}…` : line);
    else if (this.lines.length === linesMax) this.lines.push('… more steps');
  }
}

function byName(columns: readonly OutputColumn[], name: string): OutputColumn | undefined {
  return columns.find(({ sqlName }) => sqlName === name);
}

function aliasOf(table: string, name: string | undefined): string {
  return name === undefined || name === table ? '' : ` as ${name}`;
}
