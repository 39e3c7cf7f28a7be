import { FilterError } from './filter-error.ts';
import type { FilterSubject } from './query-filters.ts';
import { shown } from './shown.ts';

/** Advice for types that are elsewhere. */
const elsewhere: readonly (readonly [type: RegExp, advice: string])[] = [
  [/cohort/, 'There are no cohorts: write its conditions as filters of type person'],
  [/^behavioral/, 'Write what people did as a condition in SQL'],
  [/^flag/, 'A feature flag of an event is the property $feature/<its key>, of type event'],
  [/^person_metadata/, 'Write the column into a filter of type hogql, such as "person.created_at > \'2026-01-01\'"'],
  [/^(?:recording|log|span|error_tracking|revenue|data_warehouse)/, 'There is no such data'],
];

/**
 * Subject of a filter by its `type`. `place` names the filter in errors. Pure.
 * @throws {FilterError} which says what to write instead
 */
export function readSubject(type: unknown, index: unknown, place: string): FilterSubject {
  if (type === 'event' || type === 'feature') return { of: 'event' };
  if (type === 'person' || type === 'session' || type === 'element') return { of: type };
  if (type === 'event_metadata') return { of: 'column' };
  if (type === 'group') {
    if (typeof index !== 'number' || ![0, 1, 2, 3, 4].includes(index))
      throw new FilterError(`${place} needs group_type_index, 0 to 4.`);
    return { of: 'group', index };
  }
  const [, advice] = elsewhere.find(([pattern]) => pattern.test(String(type))) ?? [];
  throw new FilterError(
    `Filters of type ${shown(type)} are not available here: use event, person, group, session, event_metadata, element or hogql.${advice === undefined ? '' : ` ${advice}.`}`,
  );
}
