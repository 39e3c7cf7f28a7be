import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deadLetterEntry, entryPayload, type DeadLetter } from '@millrace/captured-event/dead-letter.ts';
import { encodeBundle, type BundleEntry } from '@millrace/captured-event/event-bundle.ts';
import type { LogView } from '@millrace/event-log/log-view.ts';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';
import { testEntry, testHead } from '../test/drafts.ts';
import type { ResponseRow } from './find-rows.ts';
import { replayLetters, type ReplayOptions, type ReplayReport } from './replay-letters.ts';

const uuid = randomUUID();
const ofProject = (projectId: number | null, event = 'tested'): BundleEntry =>
  testEntry({ uuid, projectId, event, token: `phc_of_${projectId}` });

const usualLetter: DeadLetter = {
  reason: 'operator_redirect',
  step: 'capture',
  detail: '',
  lane: 'main',
  partition: 0,
  writer: 'capture',
  offset: uuid,
  index: 0,
  failedAt: '2026-05-04T10:00:02.000000Z',
};

/** A log that holds nothing but dead letters of these entries. */
function lettersOf(
  entries: readonly BundleEntry[],
  changes: (index: number) => Partial<DeadLetter> = () => ({}),
): LogView {
  const payload = encodeBundle(
    entries.map((entry, index) => deadLetterEntry({ ...usualLetter, ...changes(index) }, entryPayload(entry))),
  );
  const record = { offset: 0n, appendedAtMs: 0, payload };
  const read = (from: bigint) => Promise.resolve(from === 0n ? [record] : []);
  const stream = { id: { lane: 'dead-letter', partition: 0, writer: 'capture' } as const, begin: 0n, end: 1n, read };
  return {
    partitions: 1,
    streams: () => Promise.resolve([stream]),
    committed: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}

function replay(entries: readonly BundleEntry[], rows: readonly Partial<ResponseRow>[]): Promise<ReplayReport> {
  const usual: ResponseRow = {
    project: '7',
    id: uuid,
    event: 'tested',
    distinct_id: testHead.distinctId,
    at: '2026-05-04 10:00:00.123456',
    inserted: '2026-05-04 10:00:01.000000',
  };
  const query: QueryClickhouse = <Row>() => Promise.resolve(rows.map((row) => ({ ...usual, ...row }) as Row));
  return replayLetters(lettersOf(entries), query, {
    filter: {},
    limit: Infinity,
    log: null,
    onUnreadable: () => undefined,
  });
}

const long = 'long'.repeat(100);

test.each<[name: string, entries: BundleEntry[], rows: Partial<ResponseRow>[], report: Partial<ReplayReport>]>([
  ['whose row is there is not replayed', [ofProject(7)], [{}], { alreadyStored: 1, replayed: 0 }],
  [
    'whose row has the beginning of its long name is not',
    [ofProject(7, long)],
    [{ event: long.slice(0, 200) }],
    { alreadyStored: 1, replayed: 0 },
  ],
  [
    'of one project is replayed when only that of another has a row',
    [ofProject(7), ofProject(8)],
    [{ project: '8' }],
    { alreadyStored: 1, replayed: 1 },
  ],
  [
    'of one person is replayed when only that of another has a row',
    [ofProject(7)],
    [{ distinct_id: 'another' }],
    { alreadyStored: 0, replayed: 1 },
  ],
  [
    'of which nobody said whose it is leaves it to the consumer whether it is stored',
    [ofProject(null)],
    [{ project: '8' }],
    { alreadyStored: 0, replayed: 1 },
  ],
  [
    'is replayed when the row is of an event whose name is only its beginning',
    [ofProject(7)],
    [{ event: 'test' }],
    { alreadyStored: 0, replayed: 1 },
  ],
])('an event %s', async (_name, entries, rows, report) => {
  expect(await replay(entries, rows)).toMatchObject(report);
});

test('each goes back to its lane and partition, in order, however many; the same in another partition is another one', async () => {
  const appended: [lane: string, partition: number][] = [];
  const log: ReplayOptions['log'] = {
    partitions: 4,
    append: (lane, records) =>
      Promise.resolve(void appended.push(...records.map(({ partition }): [string, number] => [lane, partition]))),
  };
  const entries = Array.from({ length: 450 }, (_, index) =>
    testEntry({ uuid: randomUUID(), distinctId: `user ${index}` }),
  );
  const query: QueryClickhouse = () => Promise.resolve([]);
  const options = { filter: {}, limit: 430, log, onUnreadable: () => undefined };
  expect(
    await replayLetters(
      lettersOf(entries, (index) => ({ lane: index < 400 ? 'main' : 'overflow', partition: index % 6 })),
      query,
      options,
    ),
  ).toEqual({
    matched: 430,
    replayed: 430,
    alreadyStored: 0,
    repeated: 0,
    lanes: { main: 400, overflow: 30 },
  });
  // Partitions 4 and 5 were those of a log with more of them.
  expect(appended).toEqual(
    Array.from({ length: 430 }, (_, index) => [index < 400 ? 'main' : 'overflow', (index % 6) % 4]),
  );
  const same = [ofProject(7), ofProject(7), ofProject(7)];
  expect(
    await replayLetters(
      lettersOf(same, (index) => ({ partition: index >> 1 })),
      query,
      { ...options, log: null },
    ),
  ).toMatchObject({ replayed: 2, repeated: 1 });
});

test('a record of the lane that is no letter is reported, and does not block the others', async () => {
  const view = lettersOf([ofProject(7)]);
  const strange = [encodeBundle([{ head: Buffer.from('{'), body: Buffer.alloc(0) }]), Buffer.from('no bundle')];
  const [stream] = await view.streams(['dead-letter']);
  const records = [
    ...strange.map((payload, index) => ({ offset: BigInt(index), appendedAtMs: 0, payload })),
    ...((await stream?.read(0n, 1)) ?? []).map((record) => ({ ...record, offset: 2n })),
  ];
  const streams =
    stream === undefined
      ? []
      : [
          {
            ...stream,
            end: 3n,
            read: (from: bigint) => Promise.resolve(records.filter(({ offset }) => offset >= from)),
          },
        ];
  const unreadable: string[] = [];
  const report = await replayLetters({ ...view, streams: () => Promise.resolve(streams) }, () => Promise.resolve([]), {
    filter: {},
    limit: 9,
    log: null,
    onUnreadable: (id) => unreadable.push(id),
  });
  expect([report.replayed, unreadable]).toEqual([1, ['capture:0:0', 'capture:0:1']]);
});
