import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';

// posthog-cli 0.19.0 as it was recorded, each request in its order, with its headers and its bytes (contract/orgs-errors 4.2, contract/clients B).

interface RecordedCall {
  method: string;
  /** A path, or the name of an address that an earlier answer gave. */
  url: string;
  headers: Record<string, string>;
  body?: string;
  base64?: string;
  status: number;
  /** Code of the error, by which the CLI decides. */
  code?: string;
  reply?: unknown;
  /** Bytes of the answer, in base64. */
  returns?: string;
  /** Names for values of the answer, which `{name}` stands for in later calls. */
  learns?: Record<string, string>;
}

const file = readFileSync(join(import.meta.dirname, 'recorded-calls.json'), 'utf8');
const { calls } = JSON.parse(file) as { calls: RecordedCall[] };

let api: TestApi;
let acme: Seed;
let names: Map<string, string>;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  names = new Map([['project', String(acme.projectId)]]);
});
afterAll(() => api?.stop());

const filled = (text: string): string =>
  text.replaceAll(/\{([a-z]+(?: [\w-]+)?)\}/g, (all, name: string) => names.get(name) ?? all);

async function send({
  method,
  url,
  headers,
  body = '',
  base64,
}: RecordedCall): Promise<{ status: number; bytes: Buffer }> {
  const bytes = Buffer.from(
    filled(base64 === undefined ? body : Buffer.from(base64, 'base64').toString('latin1')),
    'latin1',
  );
  const isUpload = url.startsWith('{');
  const sent = request(new URL(filled(url), api.api.url), {
    method,
    headers: {
      ...(!isUpload && { authorization: `Bearer ${acme.key}` }),
      ...headers,
      ...(method !== 'GET' && { 'content-length': bytes.length }),
    },
  });
  sent.end(bytes);
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: reply.statusCode ?? 0, bytes: await buffer(reply) };
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);

test.each(calls.map((call, at) => [at, call.method, call.url, call] as const))(
  'call %i: %s %s',
  async (_at, _method, _url, call) => {
    const { status, bytes } = await send(call);
    expect([status, status === call.status ? '' : bytes.toString()]).toEqual([call.status, '']);
    if (call.returns !== undefined) expect(bytes.toString('base64')).toBe(call.returns);
    const answer: unknown = bytes.length > 0 && call.returns === undefined ? JSON.parse(bytes.toString()) : undefined;
    if (call.code !== undefined) expect(answer).toMatchObject({ code: call.code });
    if (call.reply !== undefined) expect(answer).toEqual(call.reply);
    for (const [name, path] of Object.entries(call.learns ?? {})) names.set(name, String(valueAt(answer, path)));
  },
);

test('nothing is there twice, and all of it has a file', async () => {
  const sets = await api.prisma.symbolSet.findMany({ where: { projectId: acme.projectId } });
  expect(sets.map(({ storageKey }) => storageKey !== null)).toEqual([true, true, true, true, true]);
  expect(await api.prisma.errorTrackingRelease.count({ where: { projectId: acme.projectId } })).toBe(3);
});
