import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';
import { findRows, type Findable } from './find-rows.ts';

const findable = (projectId: number | null): Findable => ({
  uuid: randomUUID(),
  token: null,
  projectId,
  event: 'tested',
  distinctId: 'ann',
  timestamp: '2026-05-04T10:00:00.123456Z',
});

test('every row is looked up once, by its project if that is known, in queries that ClickHouse accepts', async () => {
  const requested: { uuids: string[]; teams: number[] | null }[] = [];
  const query: QueryClickhouse = <Row>({ sql, params }: { sql: string; params: Record<string, unknown> }) => {
    const { uuids, teams } = params as { uuids: string[]; teams: number[] };
    requested.push({ uuids, teams: sql.includes('team_id IN') ? teams : null });
    return Promise.resolve(
      uuids.map((id) => ({
        project: '7',
        id,
        event: 'tested',
        distinct_id: 'ann',
        at: '2026-05-04 10:00:00.123456',
        inserted: '2026-05-04 10:00:01.000000',
      })) as Row[],
    );
  };
  const events = [...Array.from({ length: 2_500 }, () => findable(7)), findable(null)];
  const rows = await findRows(query, events);
  expect(rows.map(({ uuid }) => uuid)).toEqual(events.map(({ uuid }) => uuid));
  expect(rows[0]).toMatchObject({
    projectId: 7,
    timestamp: '2026-05-04T10:00:00.123456Z',
    insertedAt: '2026-05-04T10:00:01.000000Z',
  });
  expect(requested.map(({ uuids, teams }) => [uuids.length, teams])).toEqual([
    [1_000, [7]],
    [1_000, [7]],
    [500, [7]],
    [1, null],
  ]);
});
