import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenantEngine } from '../../../test/open-tenant-engine.ts';
import { openTenant, type TestTenant } from '../../../test/tenant.ts';
import { readExceptions } from './read-exceptions.ts';

let tenant: TestTenant;
let opened: ReturnType<typeof openTenantEngine>;
const teamId = randomTeamId();

beforeAll(async () => {
  tenant = await openTenant();
  opened = openTenantEngine(tenant.clickhouse, (id) => tenantHeaders(tenant.clickhouse.tokenSecret, id));
}, 60_000);
afterAll(async () => {
  await opened?.close();
  await tenant?.close();
});

const noon = Date.parse('2026-03-01T12:00:00Z');
/** An event so many minutes before noon. */
const row = (minutes: number, more: Record<string, unknown> = {}) => ({
  team_id: teamId,
  uuid: randomUUID(),
  event: '$exception',
  distinct_id: 'd',
  timestamp: new Date(noon - minutes * 60_000).toISOString().replace('T', ' ').replace('Z', '000'),
  created_at: '2026-03-01 12:00:00.000000',
  person_mode: 'full',
  properties_text: JSON.stringify({ text: 'x'.repeat(500) }),
  properties: {},
  ...more,
});

test('the newest exceptions are read, as many as the bounds let in, and all are counted', async () => {
  const rows = Array.from({ length: 8 }, (_, index) => row(index));
  const others = [row(0, { event: '$pageview' }), row(0, { team_id: teamId + 1 }), row(61)];
  await tenant.insert({ events: [...rows.toReversed(), ...others] });
  const signal = new AbortController().signal;
  const reader = { teamId, organizationId: 'o', keyId: undefined, signal };
  const read = async (eventsMax: number, bytesMax: number) => {
    const { events, count } = await readExceptions(opened.engine, noon - 3_600_000, reader, { eventsMax, bytesMax });
    expect(count).toBe(8);
    return events.map(({ uuid }) => uuid);
  };
  const uuids = rows.map(({ uuid }) => uuid);
  expect(await read(100, 1_000_000)).toEqual(uuids);
  expect(await read(3, 1_000_000)).toEqual(uuids.slice(0, 3));
  expect(await read(100, 1_100)).toEqual(uuids.slice(0, 2));
  const none = await readExceptions(opened.engine, noon + 3_600_000, reader);
  expect(none).toEqual({ events: [], count: 0 });
});
