import { expect, test } from '@jest/globals';
import type { Change } from '@millrace/postgres/change.ts';
import { learner, noRetry, storeInMemory } from '../test/definitions-rig.ts';

// A member opens the type of a property again: it settles by the values from then on (contract/decisions 74).

const key = 'event.at';

function rig(onDone?: (statement: string) => void) {
  const stored = storeInMemory(onDone === undefined ? {} : { onDone });
  const { definitions, send, writeCounts } = learner(stored.store);
  const sendMany = async (value: unknown, times: number): Promise<void> => {
    for (let at = 0; at < times; at++) send('paid', { at: value });
    await definitions.written(noRetry);
  };
  return { ...stored, definitions, send, sendMany, writeCounts, type: () => stored.properties.get(key)?.type };
}

test('by the change feed, values of a known shape are looked at one by one again, and those from before do not count', async () => {
  const { definitions, reopen, counts, sendMany, writeCounts, type } = rig();
  await sendMany('2026-05-04', 500);
  expect(type()).toBe('times');
  definitions.onChange(reopen(key));
  await sendMany('2026-abcd', 19);
  expect(counts(key)).toEqual({ texts: 19 });
  expect(type()).toBeNull();
  await sendMany('2026-abcd', 6);
  expect(type()).toBe('texts');
  await writeCounts();
  expect(counts(key)).toEqual({ texts: 25 });
});

test('without the feed, counts from before are refused, and the type is open from the next write of counts on', async () => {
  const { reopen, counts, sendMany, writeCounts, type } = rig();
  await sendMany('2026-05-04', 500);
  reopen(key);
  await writeCounts();
  expect(counts(key)).toEqual({});
  await sendMany('2026-abcd', 25);
  expect(type()).toBe('texts');
});

test('news that come while a write is on its way are not undone by its result', async () => {
  let news: (() => Change[]) | null = null;
  const { definitions, reopen, counts, sendMany, type } = rig((statement) => {
    if (statement !== 'properties' || news === null) return;
    definitions.onChange(news());
    news = null;
  });
  await sendMany('2026-05-04', 19);
  news = () => reopen(key);
  await sendMany('2026-05-04', 1);
  expect(counts(key)).toEqual({});
  await sendMany('2026-abcd', 20);
  expect(type()).toBe('texts');
});

test('news of other properties, other projects and settled types change nothing', async () => {
  const { definitions, statements, sendMany } = rig();
  await sendMany('2026-05-04', 20);
  statements.length = 0;
  const news: Change = { topic: 'property_type', projectId: 7, keys: [] };
  definitions.onChange([
    news,
    { ...news, keys: ['event:-1:other', 'group:0:at', 'person:-1:at'] },
    { ...news, projectId: 8, keys: ['event:-1:at'] },
  ]);
  definitions.onChange('everything');
  await sendMany('2026-05-04', 20);
  expect(statements).toEqual([]);
});
