import { expect, test } from '@jest/globals';
import { deadLetterEntry, entryPayload } from '@millrace/captured-event/dead-letter.ts';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import type { Commit, LogRecord } from '@millrace/event-log/event-log.ts';
import type { LogView, ViewedStream } from '@millrace/event-log/log-view.ts';
import type { ResponseRow } from '../dead-letters/find-rows.ts';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';
import { lookupOf, testEntry, testHead, testProject } from '../test/drafts.ts';
import { findEvent, type EventLookup } from './find-event.ts';

const { uuid } = testHead;
const nowMs = Date.UTC(2026, 4, 4, 12);
const event = (more = {}) => testEntry({ uuid, ...more });
const another = testEntry({ uuid: '0190f3a0-0000-7000-8000-00000000000f' }, JSON.stringify({ of: uuid }));
const record = (offset: number, entries = [another, event()]): LogRecord => ({
  offset: BigInt(offset),
  appendedAtMs: nowMs - 60_000,
  payload: encodeBundle(entries),
});
const letter = encodeBundle([
  deadLetterEntry(
    {
      reason: 'row_refused',
      step: 'insert',
      detail: '',
      lane: 'main',
      partition: 0,
      writer: 'w',
      offset: '1',
      index: 0,
      failedAt: '2026-05-04T10:00:02.000000Z',
    },
    entryPayload(event()),
  ),
]);

/** A log of one stream a lane; reads give a few records at a time. */
function viewOf(lanes: Partial<Record<Lane, readonly LogRecord[]>>, committed: Commit | null): LogView {
  const streams = Object.entries(lanes).map(([lane, records]): ViewedStream => ({
    id: { lane: lane as Lane, partition: 0, writer: 'w' },
    begin: records[0]?.offset ?? 0n,
    end: (records.at(-1)?.offset ?? -1n) + 1n,
    read: (from) => Promise.resolve(records.filter(({ offset }) => offset >= from).slice(0, 700)),
  }));
  return {
    partitions: 1,
    streams: (wanted) => Promise.resolve(streams.filter(({ id }) => wanted.includes(id.lane))),
    committed: () => Promise.resolve(committed),
    close: () => Promise.resolve(),
  };
}

interface Known {
  row?: Partial<ResponseRow>;
  severity?: string;
  secondsMax?: number;
}

function find(view: LogView, { row, severity, secondsMax = 60 }: Known = {}): Promise<EventLookup> {
  const replied = {
    project: '7',
    id: uuid,
    event: testHead.event,
    distinct_id: testHead.distinctId,
    at: '2026-05-04 10:00:00.123456',
    inserted: '2026-05-04 10:00:01.000000',
    ...row,
  };
  const warning = {
    project: '7',
    type: 'missing_event_name',
    severity,
    source: 'consumer',
    details: '{"token":"phc_0123456789"}',
    at: '2026-05-04 10:00:00.000000',
  };
  const query: QueryClickhouse = <Row>({ sql }: { sql: string }) => {
    const rows = sql.includes('ingestion_warnings')
      ? severity === undefined
        ? []
        : [warning]
      : row === undefined
        ? []
        : [replied];
    return Promise.resolve(rows as Row[]);
  };
  const projects = { load: () => Promise.resolve(lookupOf(testProject)) };
  return findEvent({ view, query, projects, group: 'g', clock: { nowMs: () => nowMs } }, uuid, {
    projectId: null,
    secondsMax,
    onProgress: () => undefined,
  });
}

const at = (offset: number, pending = ''): Commit => ({ offset: BigInt(offset), metadata: pending });
const log = { main: [record(5)] };

test.each<[name: string, outcome: EventLookup['outcome'], view: LogView, known: Known]>([
  ['has no commit before it', 'not_yet_read', viewOf(log, null), {}],
  ['is the next to be read', 'not_yet_read', viewOf(log, at(5)), {}],
  ['is the first of what is under way', 'being_processed', viewOf(log, at(5, 'pending:5-7')), {}],
  ['is the last of what is under way', 'being_processed', viewOf(log, at(3, 'pending:3-5')), {}],
  ['is behind what is under way', 'not_yet_read', viewOf(log, at(3, 'pending:3-4')), {}],
  ['is behind a commit of another release', 'not_yet_read', viewOf(log, at(3, 'of tomorrow')), {}],
  ['was read and has no row', 'dropped', viewOf(log, at(6)), {}],
  ['has a row, wherever else it is', 'stored', viewOf({ ...log, 'dead-letter': [record(0)] }, at(5)), { row: {} }],
  [
    'is a dead letter',
    'dead_letter',
    viewOf({ main: [record(5)], 'dead-letter': [{ ...record(0), payload: letter }] }, at(6)),
    {},
  ],
  [
    'is a dead letter whose replay waits',
    'not_yet_read',
    viewOf({ main: [record(5)], 'dead-letter': [{ ...record(0), payload: letter }] }, at(5)),
    {},
  ],
  ['left the log long ago and cost a warning', 'dropped', viewOf({}, null), { severity: 'error' }],
  [
    'left the log long ago, and a warning is about it that cost nothing',
    'not_found',
    viewOf({}, null),
    { severity: 'warning' },
  ],
  ['is mentioned only', 'not_found', viewOf({ main: [record(5, [another])] }, at(6)), {}],
])('an event that %s: %s', async (_name, outcome, view, known) => {
  expect(await find(view, known)).toMatchObject({ outcome });
});

test('the log is searched to its beginning, unless the time is over; the lag is reported with its age', async () => {
  const many = Array.from({ length: 4_500 }, (_, offset) => record(offset + 10, offset === 0 ? [event()] : []));
  const found = await find(viewOf({ main: many }, null));
  expect(found).toMatchObject({
    positions: [{ offset: '10', index: 0 }],
    searched: { records: 4_500, complete: true },
  });
  expect(found.lag.find(({ lane }) => lane === 'main')).toEqual({
    lane: 'main',
    records: 4_500,
    oldestUnreadSeconds: 60,
  });
  expect(await find(viewOf({ main: many }, null), { secondsMax: -1 })).toMatchObject({
    outcome: 'not_found',
    searched: { records: 0, complete: false },
  });
});

test('no token is shown, neither of the event nor in a warning', async () => {
  const found = await find(viewOf({ main: [record(5, [event({ token: 'phc_0123456789' })])] }, null), {
    severity: 'error',
  });
  expect(JSON.stringify(found)).not.toContain('phc_0123456789');
  expect(found).toMatchObject({
    positions: [{ token: 'phc_...6789' }],
    warnings: [{ details: '{"token":"phc_...6789"}' }],
  });
});
