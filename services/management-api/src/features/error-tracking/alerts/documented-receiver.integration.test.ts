import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { readPage } from '@millrace/testkit/documented-examples.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// The receiver that docs/error-tracking.md shows, as a program of its own.

let api: TestApi;
let acme: Seed;
let folder: string;
let child: ChildProcess | undefined;
let output = '';
beforeAll(async () => {
  api = await startTestApi({ ALERT_WEBHOOK_PRIVATE_ALLOWED: 'true' });
  acme = await api.seed('Acme');
  folder = mkdtempSync(join(tmpdir(), 'millrace-receiver-'));
});
afterAll(async () => {
  child?.kill('SIGKILL');
  await api?.stop();
  rmSync(folder, { recursive: true });
});

const source = readPage('error-tracking.md').split('```js receiver\n')[1]?.split('```', 1)[0] ?? '';
const send = <Body extends object>(method: 'post' | 'patch', rest = '') =>
  api.as(acme.key).send<Body>(method, `/api/projects/${acme.projectId}/error_tracking/alerts${rest}`);

async function startDocumented(secret: string): Promise<string> {
  const file = join(folder, 'receiver.mjs');
  writeFileSync(file, source);
  child = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  return await eventually(() => {
    const port = /listening on (\d+)/.exec(output)?.[1];
    if (port === undefined) throw new Error('the receiver does not listen yet');
    return `http://127.0.0.1:${port}/`;
  });
}

test('takes what is signed, tells of each alert once, and refuses everything else', async () => {
  // The key is made with the URL, and the receiver wants the key first.
  const made = await send<{ webhook_secret: string }>('patch').send({ webhook_url: 'http://127.0.0.1:9/' });
  const url = await startDocumented(made.body.webhook_secret);
  await send('patch').send({ webhook_url: url });
  expect((await send('post', '/test')).body).toMatchObject({ webhook: { delivered: true, response_status: 204 } });
  const now = new Date().toISOString();
  const one = { project_id: acme.projectId, fingerprint: 'f', issue_id: crypto.randomUUID(), version: 1, makes: true };
  const place = {
    frame: { function: 'addToCart', file: 'src/cart.ts', line: 12 },
    release: { version: '1.4.2', project: 'shop-web' },
  };
  const seen = [{ ...one, ...place, name: 'TypeError', first_seen_at: now, received_at: now }];
  await api.prisma.$queryRaw`SELECT issue_id FROM see_issues(${JSON.stringify(seen)}::json)`;
  const shown = `issue.created TypeError src/cart.ts:12 1.4.2 ${api.api.url}/api/projects/`;
  await eventually(() => expect(output).toContain(shown));

  const forged = await fetch(url, {
    method: 'POST',
    body: '{"type":"issue.created","data":{}}',
    headers: {
      'webhook-id': 'a',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAA',
    },
  });
  expect([forged.status, (await fetch(url, { method: 'POST', body: '{}' })).status]).toEqual([401, 401]);
  // After a rotation the former key is good for a day.
  expect((await send('post', '/rotate_secret')).status).toBe(200);
  expect((await send('post', '/test')).body).toMatchObject({ webhook: { delivered: true } });
});
