import { describe, expect, test } from '@jest/globals';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { processedDraft } from '../../test/drafts.ts';

const warningsOf = (head: Partial<CapturedEvent>, body?: string): unknown[] =>
  processedDraft(head, body).warnings.map(({ type, details }) => [type, details['property'], details['receivedType']]);

describe('ignored updates of a person have a warning (contract/capture 4.3, 4.7)', () => {
  test('what is no object, at the top and in the properties', () => {
    expect(warningsOf({ set: [1], setOnce: 'x' }, '{"$set":5,"$unset":"a","$set_once":12345678901234567890}')).toEqual([
      ['invalid_person_update', '$set', 'array'],
      ['invalid_person_update', '$set', 'number'],
      ['invalid_person_update', '$set_once', 'string'],
      ['invalid_person_update', '$set_once', 'number'],
      ['invalid_person_update', '$unset', 'string'],
    ]);
  });

  test('what is no object, in one of the two places alone', () => {
    expect(warningsOf({ set: 5 })).toEqual([['invalid_person_update', '$set', 'number']]);
    expect(warningsOf({ set: { a: 1 } }, '{"$set":6}')).toEqual([['invalid_person_update', '$set', 'number']]);
    expect(warningsOf({ setOnce: 5, unset: 'a' })).toEqual([
      ['invalid_person_update', '$set_once', 'number'],
      ['invalid_person_update', '$unset', 'string'],
    ]);
  });

  test('not what is as it should be, or not there', () => {
    expect(warningsOf({ set: { a: 1 }, unset: ['a'] }, '{"$set":null,"$unset":{"b":1},"$set_once":{}}')).toEqual([]);
    expect(warningsOf({ set: 1 }, '{"$process_person_profile":false}')).toEqual([]);
  });

  test('of an exception, whatever they are', () => {
    expect(
      warningsOf({ event: '$exception', set: { a: 1 } }, '{"$set_once":5}').map((warning) => (warning as unknown[])[0]),
    ).toEqual(['set_on_exception']);
    expect(warningsOf({ event: '$exception', set: { a: 1 } })).toHaveLength(1);
    expect(warningsOf({ event: '$exception' })).toEqual([]);
  });
});
