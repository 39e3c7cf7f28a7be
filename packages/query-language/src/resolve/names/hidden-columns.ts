import type { Span } from '../../query-error.ts';
import type { Resolved, Source } from '../../resolved.ts';
import type { CompareOperator } from '../../tree/expressions.ts';
import { warn } from '../../warnings.ts';
import type { AliasEntry, Scope } from './scope.ts';
import { hasColumn } from './source-columns.ts';

/**
 * Notes where WHERE names an alias that has the name of a column and another value: `upper(event) AS event … WHERE event = 'paid'`. The alias
 * counts, as in ClickHouse.
 */
export function noteHiddenColumn(name: string, scope: Scope, span: Span): void {
  const entry = scope.aliases.get(name);
  const holder = scope.sources.find((source) => hasColumn(source, name));
  if (!entry || !holder || isSameValue(entry, name, scope.sources)) return;
  scope.hiddenColumns.set(span.start, {
    name,
    span,
    holder,
    isDay: typeof entry.state !== 'string' && isDayOfColumn(entry.state),
  });
}

/** `toDate(timestamp) AS timestamp … WHERE timestamp >= '2026-03-01'` holds for the rows for which it holds of the column. */
export function forgetHiddenDay(op: CompareOperator, left: Resolved, right: Resolved, { hiddenColumns }: Scope): void {
  if (op !== '>=' && op !== '<') return;
  const isDay = right.kind === 'constant' ? /^\d{4}-\d\d-\d\d$/.test(String(right.value)) : right.type.kind === 'date';
  if (isDay && hiddenColumns.get(left.start)?.isDay) hiddenColumns.delete(left.start);
}

/** Warns of those that were noted. */
export function warnOfHiddenColumns({ hiddenColumns }: Scope): void {
  for (const { name, span, holder } of hiddenColumns.values()) {
    const column = holder.name === undefined ? '' : `for the column write ${holder.name}.${name}, or `;
    warn(
      'hidden_column',
      `"${name}" is the alias of the SELECT list here, which hides the column; ${column}give the alias another name`,
      span,
    );
  }
  hiddenColumns.clear();
}

function isDayOfColumn(value: Resolved): boolean {
  const [time] = value.kind === 'call' && value.name === 'toDate' ? value.args : [];
  const [inner] = time?.kind === 'call' && time.name === 'toTimeZone' ? time.args : [time];
  return inner?.kind === 'column';
}

function isSameValue({ node: { expr }, state }: AliasEntry, name: string, sources: readonly Source[]): boolean {
  if (typeof state !== 'string' && isTextOfId(state)) return true;
  if (expr.node !== 'Field') return false;
  const [first, second] = expr.chain;
  return expr.chain.length === 1 ? first === name : second === name && sources.some((source) => source.name === first);
}

// `toString(person_id) AS person_id` equals what the column equals.
function isTextOfId(value: Resolved): boolean {
  const [id] = value.kind === 'call' && value.name === 'toString' ? value.args : [];
  return id?.kind === 'column' && id.type.kind === 'uuid';
}
