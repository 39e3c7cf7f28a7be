import { expect, test } from '@jest/globals';
import { decodeBundle, encodeBundle, type BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import { bundleBytesMax } from '@millrace/contracts/limits.ts';
import { LogUnavailableError, OutcomeUnknownError, type AppendRecord } from '@millrace/event-log/event-log.ts';
import { appendMoved } from './append-moved.ts';

const entry = (bytes: number): BundleEntry => ({ head: Buffer.from('{}'), body: Buffer.alloc(bytes, 'x') });

test('what moves lies in overflow byte for byte and in order, in bundles and appends of a size that a log takes', async () => {
  const appends: AppendRecord[][] = [];
  const [small, large] = [
    Array.from({ length: 1_200 }, (_, at) => entry(at % 7)),
    Array.from({ length: 40 }, (_, at) => entry(400_000 + at)),
  ];
  const entries = [...small, entry(2_000_000), ...large];
  const log = {
    append: (_: string, records: readonly AppendRecord[]) => Promise.resolve(void appends.push([...records])),
  };
  await expect(appendMoved(log, 3, entries)).resolves.toBe(true);
  const records = appends.flat();
  expect(encodeBundle(records.flatMap(({ payload }) => decodeBundle(payload))).equals(encodeBundle(entries))).toBe(
    true,
  );
  expect(new Set(records.map(({ partition }) => partition))).toEqual(new Set([3]));
  const bundles = records.map(({ payload }) => decodeBundle(payload));
  expect(bundles.every((bundle) => bundle.length <= 50)).toBe(true);
  expect(records.some(({ payload }, at) => payload.length > bundleBytesMax && bundles[at]!.length > 1)).toBe(false);
  const sizes = appends.map((some) => some.reduce((sum, { payload }) => sum + payload.length, 0));
  expect(Math.max(...sizes)).toBeLessThan(9_000_000);
});

test.each([[new LogUnavailableError('full')], [new OutcomeUnknownError('who knows')]])(
  'a log that does not take them says so: %s',
  async (error) => {
    await expect(appendMoved({ append: () => Promise.reject(error) }, 0, [entry(1)])).resolves.toBe(false);
  },
);

test('an error of another kind is thrown', async () => {
  await expect(appendMoved({ append: () => Promise.reject(new TypeError('x')) }, 0, [entry(1)])).rejects.toThrow(
    TypeError,
  );
});
