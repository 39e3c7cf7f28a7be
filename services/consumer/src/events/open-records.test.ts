import { expect, test } from '@jest/globals';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import { openRecords } from './open-records.ts';
import { testEntry } from '../test/drafts.ts';
import { createLetterWriter } from './letters.ts';

const letters = createLetterWriter({ lane: 'main', partition: 0, writer: 'w' }, '');
const record = (offset: bigint, payload: Buffer) => ({ offset, appendedAtMs: 0, payload });
const two = encodeBundle([testEntry(), testEntry()]);

test('entries are numbered within their record; of a record that is cut nothing is taken, and all of it is kept', () => {
  const cut = record(2n, two.subarray(0, -1));
  const { entries, unreadable } = openRecords([record(1n, two), cut, record(3n, two)], letters);
  expect(entries.map(({ offset, index }) => [offset, index])).toEqual([
    [1n, 0],
    [1n, 1],
    [3n, 0],
    [3n, 1],
  ]);
  expect(unreadable).toMatchObject([
    { letter: { reason: 'unreadable_bundle', offset: '2', index: null }, payload: cut.payload },
  ]);
});

test('the detail of a letter is bounded, because it may be the text of a client', () => {
  const { letter } = letters.record(record(1n, two), {
    reason: 'unexpected_fault',
    step: 'x',
    detail: 'x'.repeat(100_000),
  });
  expect(letter.detail).toHaveLength(1_000);
});
