import { describe, expect, test } from '@jest/globals';
import { issueIdParts } from '@millrace/contracts/issues.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import type { Queryable, Statement } from '../../database.ts';
import { createIssueSource, type SeenException } from './issue-source.ts';

const exception = (fingerprint: string, more: Partial<SeenException> = {}): SeenException => ({
  projectId: 7,
  fingerprint,
  version: 1,
  name: 'TypeError',
  description: null,
  frame: null,
  release: null,
  happenedAt: '2026-11-01T10:00:00.000000Z',
  receivedAt: '2026-11-01T10:00:01.000000Z',
  ...more,
});

const idOf = (fingerprint: string): string => uuidV5(...issueIdParts(7, fingerprint));

interface Given {
  project_id: number;
  fingerprint: string;
  issue_id: string;
  first_seen_at: string;
  received_at: string;
  makes: boolean;
  alerts: boolean;
}

/** A source over a table in memory, and the batches that it was asked for. */
function rig(status = 'active') {
  const asked: Given[][] = [];
  const stored = new Set<string>();
  let nowMs = 0;
  let duringQuery = (): void => undefined;
  const db: Queryable = {
    query<Row extends object>({ values }: Statement) {
      const given = JSON.parse(values[0] as string) as Given[];
      asked.push(given);
      duringQuery();
      const rows = given.flatMap(({ project_id: projectId, fingerprint, issue_id: id, makes }) => {
        const isNew = !stored.has(fingerprint);
        if (isNew && !makes) return [];
        stored.add(fingerprint);
        return [{ projectId, fingerprint, id, status, outcome: isNew ? 'new' : 'seen' }];
      });
      return Promise.resolve({ rows: rows as object[] as Row[] });
    },
  };
  const source = createIssueSource(db, { nowMs: () => nowMs, monotonicMs: () => nowMs } as never);
  return { source, asked, pass: (ms: number) => (nowMs += ms), during: (work: () => void) => (duringQuery = work) };
}

describe('issues of a batch', () => {
  test('are asked for in one statement, each fingerprint once, with its earliest and its latest time', async () => {
    const { source, asked } = rig();
    const later = { happenedAt: '2026-11-01T09:00:00.000000Z', receivedAt: '2026-11-01T11:00:00.000000Z' };
    const found = await source.see([exception('f'), exception('f', later), exception('g')]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject([
      { fingerprint: 'f', first_seen_at: later.happenedAt, received_at: later.receivedAt },
      { fingerprint: 'g' },
    ]);
    expect(found.made).toBe(2);
    expect(found.issues.get('7:f')).toEqual({ id: idOf('f'), isSuppressed: false });
  });

  test('are alerted to, unless all exceptions of a fingerprint are no news', async () => {
    const { source, asked } = rig();
    const late = { alerts: false };
    await source.see([exception('f'), exception('f', late), exception('g', late), exception('g', late)]);
    await source.see([exception('h', late), exception('h')]);
    expect(asked.flat().map(({ alerts }) => alerts)).toEqual([true, false, true]);
  });

  test('did not happen after they were received', async () => {
    const { source, asked } = rig();
    await source.see([exception('f', { happenedAt: '2299-01-01T00:00:00.000000Z' })]);
    expect(asked[0]).toMatchObject([{ first_seen_at: '2026-11-01T10:00:01.000000Z' }]);
  });

  test('of a project that makes up fingerprints are made up to a number; the others have their id', async () => {
    const { source, asked, pass } = rig();
    const many = Array.from({ length: 10_050 }, (_, index) => exception(`f${index}`));
    const { issues, made } = await source.see([...many, exception('f', { projectId: 8 })]);
    expect(made).toBe(10_001);
    expect(issues.get('7:f10049')).toEqual({ id: idOf('f10049'), isSuppressed: false });
    pass(20_000);
    expect(await source.see(many.slice(-50))).toMatchObject({ made: 20 });
    expect(asked[1]).toHaveLength(50);
  });
});

describe('what was read', () => {
  test('is kept for a minute, unless the feed tells of the project', async () => {
    const { source, asked, pass } = rig('suppressed');
    const see = async () => (await source.see([exception('f')])).issues.get('7:f')?.isSuppressed;
    expect([await see(), await see(), asked.length]).toEqual([true, true, 1]);
    source.onChange([{ topic: 'issue', projectId: 8, keys: [] }]);
    expect([await see(), asked.length]).toEqual([true, 1]);
    source.onChange([{ topic: 'issue', projectId: 7, keys: [] }]);
    expect([await see(), asked.length]).toEqual([true, 2]);
    pass(60_000);
    expect([await see(), asked.length]).toEqual([true, 3]);
    source.onChange('everything');
    expect([await see(), asked.length]).toEqual([true, 4]);
  });

  test('is not kept of a resolved one, or when the feed told of a change meanwhile', async () => {
    const resolved = rig('resolved');
    for (let round = 0; round < 2; round++) await resolved.source.see([exception('f')]);
    expect(resolved.asked).toHaveLength(2);
    const changed = rig();
    changed.during(() => changed.source.onChange([{ topic: 'issue', projectId: 7, keys: [] }]));
    for (let round = 0; round < 2; round++) await changed.source.see([exception('f')]);
    expect(changed.asked).toHaveLength(2);
  });
});
