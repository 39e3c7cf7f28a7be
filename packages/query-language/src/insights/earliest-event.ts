import type { Statement } from '../tree/statements.ts';
import { compare, constant, eventField, tuple } from './nodes.ts';
import { template } from './template.ts';

/** One row: microseconds since 1970 of the earliest event of these names, NULL when there is none. With null in the names it is of all events. */
export function earliestEvent(names: readonly (string | null)[]): Statement {
  const texts = names.filter((name) => name !== null);
  const isOfAll = texts.length < names.length || names.length === 0;
  const matching = isOfAll
    ? constant(true)
    : compare(eventField('event'), 'in', tuple(texts.map((name) => constant(name))));
  return template(
    'SELECT if(count() = 0, NULL, toUnixTimestamp64Micro(min(timestamp))) AS earliest FROM events WHERE {matching}',
    { matching },
  );
}
