import type { Field } from '../../tree/expressions.ts';
import { hasColumn } from './source-columns.ts';
import type { Scope } from './scope.ts';

/** Columns by the names that they have in other products, in lower case: the first that a table has is meant. */
const columnsElsewhere: Readonly<Record<string, readonly string[]>> = {
  ...sameAs(
    ['timestamp', 'created_at', '$start_timestamp'],
    'time date datetime ts event_time event_timestamp event_date created created_on inserted_at occurred_at',
  ),
  ...sameAs(['event'], 'event_name event_type eventname'),
  ...sameAs(['distinct_id', 'pdi.distinct_id'], 'user_id userid user uid anonymous_id'),
  ...sameAs(['person_id', 'id'], 'personid person_uuid'),
};

/** Objects of properties by the names that they have in other products. */
const objectsElsewhere: Readonly<Record<string, readonly string[]>> = {
  ...sameAs(['person.properties', 'properties'], 'person_properties user_properties user users'),
  ...sameAs(['properties'], 'event_properties event_params props'),
};

function sameAs(meant: readonly string[], names: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, meant]));
}

/** A path of names as a query writes it: with quotes where they are needed. */
export const written = (chain: readonly string[]): string =>
  chain.map((part) => (/^[A-Za-z_$][\w$]*$/.test(part) ? part : `\`${part}\``)).join('.');

/** The column, or `count()`, that somebody means who knows the names of another product; undefined where one table has none, or several have it. */
export function nameElsewhere({ chain, quoted }: Field, scope: Scope): string | undefined {
  const [first = '', ...rest] = chain;
  if (quoted) return undefined;
  const word = first.toLowerCase();
  if (rest.length === 0 && word === 'count' && scope.aggregatesAllowed) return 'count()';
  const names = rest.length === 0 ? columnsElsewhere : objectsElsewhere;
  const meant = Object.hasOwn(names, word) ? names[word] : undefined;
  for (const path of meant ?? []) {
    const [column = ''] = path.split('.');
    const holders = scope.sources.filter((source) => source.from.kind === 'table' && hasColumn(source, column));
    if (holders.length > 1) return undefined;
    const [holder] = holders;
    const table = scope.sources.length > 1 && holder?.name !== undefined ? `${holder.name}.` : '';
    const below = rest[0] === 'properties' ? rest.slice(1) : rest;
    if (holder) return `${table}${path}${below.length > 0 ? `.${written(below)}` : ''}`;
  }
  return undefined;
}
