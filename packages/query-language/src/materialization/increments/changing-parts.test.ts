import { describe, expect, test } from '@jest/globals';
import { compileStored } from '../../compile.ts';
import { parseSelect } from '../../parse.ts';
import { changingParts } from './changing-parts.ts';

const partsOf = (selected: string, where = '1 = 1') =>
  changingParts(
    compileStored(parseSelect(`SELECT toDate(timestamp) AS d, ${selected} FROM events WHERE ${where} GROUP BY d`), {})
      .sql,
  );

describe('what changes the rows of a table beside new events (contract/endpoints 6.3)', () => {
  test.each([
    ['columns of events', 'max(event), max(properties.$lib), max($group_0), max(elements_chain)'],
    ['properties of persons, which are those of the time of the event', 'max(person.properties.plan)'],
  ])('nothing does where it reads %s', (_name, selected) => {
    expect(partsOf(selected)).toEqual({ readsPersons: false });
  });

  test.each(['uniq(person_id)', 'max(person.id)', 'max(pdi.person_id)'])(
    'merges of persons do where it reads %s',
    (selected) => {
      expect(partsOf(selected)).toEqual({ readsPersons: true });
    },
  );

  test.each([
    ['the current groups', 'max(group_0.properties.plan)'],
    ['the current persons', 'max(person.created_at)'],
    ['sessions, which are made of other events', 'max(session.$session_duration)'],
  ])('unknown things do where it reads %s', (_name, selected) => {
    expect(partsOf(selected)).toBeUndefined();
  });

  test('texts are no tables', () => {
    expect(partsOf("countIf(event = 'analytics.groups')", "event = 'analytics.groups'")).toEqual({
      readsPersons: false,
    });
  });
});
