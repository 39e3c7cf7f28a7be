import { describe, expect, test } from '@jest/globals';
import type { SentEvent } from './ledger.ts';
import { personKey, settle, type StoredRow } from './settle.ts';

const sent = (number: number, more: Partial<SentEvent> = {}): SentEvent => ({
  uuid: `u${number}`,
  projectId: 1,
  distinctId: 'ann',
  number,
  sets: true,
  firstSentMs: number * 1_000,
  ackedMs: number * 1_000,
  ...more,
});
const row = (number: number, more: Partial<StoredRow> = {}): StoredRow => ({
  uuid: `u${number}`,
  projectId: 1,
  distinctId: 'ann',
  insertedMs: number * 1_000 + 100,
  personNumber: number,
  ...more,
});
const ann = (number: number) => new Map([[personKey(1, 'ann'), number]]);

describe('the ledger compares what clients know with what is there', () => {
  test('all there, once, in order: no findings', () => {
    expect(settle([sent(1), sent(2)], { rows: [row(1), row(2)], persons: ann(2) }, [])).toMatchObject({
      sent: 2,
      acked: 2,
      stored: 2,
      lost: [],
      doubled: [],
      outOfOrder: [],
      foreign: [],
    });
  });

  test('what was acknowledged and is not there is lost; what was not may be there or not', () => {
    const events = [sent(1), sent(2), sent(3, { ackedMs: null }), sent(4, { ackedMs: null })];
    expect(settle(events, { rows: [row(1), row(4)], persons: ann(4) }, [])).toMatchObject({
      acked: 2,
      lost: ['u2'],
      outOfOrder: [],
    });
  });

  test('a second row is a double, also of an event that was not acknowledged', () => {
    const events = [sent(1), sent(2, { ackedMs: null })];
    expect(settle(events, { rows: [row(1), row(1), row(1), row(2), row(2)], persons: ann(2) }, []).doubled).toEqual([
      'u1',
      'u2',
    ]);
  });

  test('a row of another project, or of nobody, is foreign; it does not stand in for the own one', () => {
    expect(settle([sent(1)], { rows: [row(1, { projectId: 2 }), row(9)], persons: ann(1) }, [])).toMatchObject({
      foreign: ['u1', 'u9'],
      lost: ['u1'],
    });
  });

  test.each([
    ['inserted before an earlier one of its distinct id', [row(1, { insertedMs: 5_000 }), row(2)], 2, ['u2']],
    ['seen with a state of its person that a later one made', [row(1, { personNumber: 2 }), row(2)], 2, ['u1']],
    ['seen without what it set itself', [row(1, { personNumber: null }), row(2)], 2, ['u1']],
    ['not what its person is left with, though it came last', [row(1), row(2)], 1, ['u2']],
  ])('out of order is what is %s', (_what, rows, left, found) => {
    expect(settle([sent(1), sent(2)], { rows, persons: ann(left) }, []).outOfOrder).toEqual(found);
  });

  test('distinct ids of one name in two projects are two', () => {
    const events = [sent(1), sent(1, { uuid: 'v1', projectId: 2 })];
    const persons = new Map([...ann(1), [personKey(2, 'ann'), 1]]);
    expect(settle(events, { rows: [row(1), row(1, { uuid: 'v1', projectId: 2 })], persons }, [])).toMatchObject({
      outOfOrder: [],
      foreign: [],
    });
  });

  test('recovery: from a fault until all that was acknowledged by then is stored', () => {
    const rows = [row(1), row(2, { insertedMs: 9_500 }), row(3, { insertedMs: 12_000 })];
    expect(settle([sent(1), sent(2), sent(3)], { rows, persons: ann(3) }, [2_500]).recoveryMs).toBe(7_000);
    expect(settle([sent(1)], { rows: [row(1)], persons: ann(1) }, [1_500]).recoveryMs).toBe(0);
  });

  test('standstill: nothing is stored while something waits; a time without events is none', () => {
    expect(settle([sent(1), sent(50)], { rows: [row(1), row(50)], persons: ann(50) }, []).standstillMs).toBe(100);
    const rows = [row(1), row(2, { insertedMs: 8_000 }), row(3, { insertedMs: 8_000 })];
    expect(settle([sent(1), sent(2), sent(3)], { rows, persons: ann(3) }, []).standstillMs).toBe(6_000);
  });
});
