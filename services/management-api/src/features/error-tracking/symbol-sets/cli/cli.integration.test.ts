import { join } from 'node:path';
import { createReplay, readCalls, type Replay } from '@millrace/testkit/recorded-calls.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';

// posthog-cli 0.19.0 as it was recorded, each request in its order, with its headers and its bytes (contract/orgs-errors 4.2, contract/clients B).

const calls = readCalls(join(import.meta.dirname, 'recorded-calls.json'));

let api: TestApi;
let acme: Seed;
let replay: Replay;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  replay = createReplay(api.api.url, acme.key, acme.projectId);
});
afterAll(() => api?.stop());

test.each(calls.map((call, at) => [at, call.method, call.url, call] as const))(
  'call %i: %s %s',
  async (_at, _method, _url, call) => {
    const { status, bytes, json } = await replay.send(call);
    expect([status, status === call.status ? '' : bytes.toString()]).toEqual([call.status, '']);
    if (call.returns !== undefined) expect(bytes.toString('base64')).toBe(call.returns);
    if (call.code !== undefined) expect(json).toMatchObject({ code: call.code });
    if (call.reply !== undefined) expect(json).toEqual(call.reply);
  },
);

test('nothing is there twice, and all of it has a file', async () => {
  const sets = await api.prisma.symbolSet.findMany({ where: { projectId: acme.projectId } });
  expect(sets.map(({ storageKey }) => storageKey !== null)).toEqual([true, true, true, true, true]);
  expect(await api.prisma.errorTrackingRelease.count({ where: { projectId: acme.projectId } })).toBe(3);
});
