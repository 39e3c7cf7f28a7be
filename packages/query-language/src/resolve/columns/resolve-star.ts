import { costOf, spend } from '../../budget.ts';
import { columnPattern } from './column-pattern.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { starNames } from '../names/source-columns.ts';
import { fieldOfSource } from '../names/source-fields.ts';
import type { Resolved, Source } from '../../resolved.ts';
import { unknownColumn, type Scope } from '../names/scope.ts';
import type { ColumnsExpr, Expression } from '../../tree/expressions.ts';

/** A column of the SELECT list: an expression, or a value that a star expands to. */
export interface Entry {
  name: string;
  expr?: Expression;
  value?: Resolved;
  /** `expr` replaces a column. */
  replaces?: true;
}

/** The columns that `*` and `t.*` expand to. Throws `unknown_table`. */
export function expandStar(chain: readonly string[], span: Span, scope: Scope): Entry[] {
  const [table] = chain;
  const sources = chain.length === 1 ? scope.sources : scope.sources.filter((source) => source.name === table);
  if (chain.length > 2 || sources.length === 0)
    throw new SpanError(
      'unknown_table',
      chain.length === 1 ? 'There is no table for *' : `Unknown table "${chain.slice(0, -1).join('.')}"`,
      span,
    );
  return sources.flatMap((source) =>
    chain.length === 1 ? withMerged(source, starColumns(source, span), span, scope) : starColumns(source, span),
  );
}

function starColumns(source: Source, span: Span): Entry[] {
  const names = starNames(source);
  spend(names.length * costOf.column, span);
  return names.map((name) => ({ name, value: fieldOfSource(source, [name], span) }));
}

// A column of JOIN … USING shows once, in the place of the first.
function withMerged(source: Source, entries: Entry[], span: Span, scope: Scope): Entry[] {
  if (scope.merged.size === 0) return entries;
  return entries.flatMap((entry) => {
    const merged = scope.merged.get(entry.name);
    if (!merged?.sources.has(source)) return [entry];
    const [first] = merged.sources;
    return first === source ? [{ name: entry.name, value: merged.read(span) }] : [];
  });
}

/** The columns that `*` with EXCEPT or REPLACE and `COLUMNS(…)` expand to; `entriesOf` gives those of an entry of a list. */
export function expandColumns(expr: ColumnsExpr, scope: Scope, entriesOf: (part: Expression) => Entry[]): Entry[] {
  if (expr.columns) return expr.columns.flatMap((part) => entriesOf(expr.table ? ofTable(part, expr.table) : part));
  const all = expandStar([...(expr.table ?? []), '*'], expr, scope);
  const chosen = expr.regex === undefined ? all : matching(expr.regex, all, expr);
  const replaced = new Map(Object.entries(expr.replace ?? {}));
  const known = new Set(chosen.map((entry) => entry.name));
  const excluded = new Set(expr.exclude);
  const unknown = [...excluded, ...replaced.keys()].find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownColumn(unknown, known, expr);
  const rest = chosen.filter((entry) => !excluded.has(entry.name));
  if (rest.length === 0)
    throw new SpanError(
      'wrong_arguments',
      expr.regex === undefined
        ? 'No column is left of *'
        : `No column is left of COLUMNS('${expr.regex}'); the columns are ${all
            .map((entry) => entry.name)
            .join(', ')
            .slice(0, 200)}`,
      expr,
    );
  return rest.map((entry) => withReplacement(entry, replaced.get(entry.name)));
}

// As an alias in the SELECT list, it is known to the other clauses by its name.
function withReplacement({ name, ...entry }: Entry, expr: Expression | undefined): Entry {
  return expr
    ? { name, expr: { node: 'Alias', alias: name, expr, start: expr.start, end: expr.end }, replaces: true }
    : { name, ...entry };
}

function matching(regex: string, entries: readonly Entry[], span: Span): Entry[] {
  const pattern = columnPattern(regex, span);
  spend(Math.ceil(entries.reduce((steps, { name }) => steps + pattern.stepsFor(name), 0) / stepsPerUnit), span);
  return entries.filter(({ name }) => pattern.matches(name));
}

// Steps of a pattern that cost about one unit.
const stepsPerUnit = 2;

// `t.COLUMNS(a, b)`: names of its columns.
function ofTable(part: Expression, table: readonly string[]): Expression {
  if (part.node === 'Field') return { ...part, chain: [...table, ...part.chain] };
  throw new SpanError(
    'syntax_error',
    `${table.join('.')}.COLUMNS(…) takes names of columns, or a pattern in quotes`,
    part,
  );
}
