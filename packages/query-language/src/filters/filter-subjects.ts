import { groupTypesMax } from '@millrace/contracts/limits.ts';
import { FilterError } from './filter-error.ts';
import type { FilterSubject } from './query-filters.ts';
import { shown } from './shown.ts';

/** The largest `group_type_index`; the smallest is 0. */
export const groupTypeIndexMax = groupTypesMax - 1;

const subjects: Readonly<Record<string, (index: unknown, place: string) => FilterSubject>> = {
  event: () => ({ of: 'event' }),
  person: () => ({ of: 'person' }),
  group: (index, place) => ({ of: 'group', index: groupIndex(index, place) }),
  session: () => ({ of: 'session' }),
  event_metadata: () => ({ of: 'column' }),
  element: () => ({ of: 'element' }),
};

/** Another name of the type event, which clients send for feature flags. */
const synonym = 'feature';

/** Types of filters that look at a subject. */
export const subjectTypes: readonly string[] = [...Object.keys(subjects), synonym];

function groupIndex(index: unknown, place: string): number {
  if (typeof index === 'number' && Number.isInteger(index) && index >= 0 && index <= groupTypeIndexMax) return index;
  throw new FilterError(`${place} needs group_type_index, 0 to ${groupTypeIndexMax}.`);
}

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
  const given = typeof type === 'string' ? type : '';
  const name = given === synonym ? 'event' : given;
  const subject = Object.hasOwn(subjects, name) ? subjects[name] : undefined;
  if (subject !== undefined) return subject(index, place);
  const [, advice] = elsewhere.find(([pattern]) => pattern.test(given)) ?? [];
  throw new FilterError(
    `Filters of type ${shown(type)} are not available here: use ${Object.keys(subjects).join(', ')} or hogql.${advice === undefined ? '' : ` ${advice}.`}`,
  );
}
