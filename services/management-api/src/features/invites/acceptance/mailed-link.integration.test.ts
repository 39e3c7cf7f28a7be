import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { mailSettings } from '../../../mail/mail-settings.ts';
import { createMailer, type Mailer } from '../../../mail/mailer.ts';
import { startTestApi, type TestApi } from '../../../test/test-api.ts';

let folder: string;
let mailer: Mailer;
let api: TestApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-invites-'));
  mailer = createMailer(readConfig(mailSettings, { MAIL_OUTBOX_DIR: folder }), {
    clock: { nowMs: () => Date.now() },
    logger: createLogger('test', 'silent'),
  });
  api = await startTestApi({}, { mailer });
});
afterAll(async () => {
  await api?.stop();
  rmSync(folder, { recursive: true });
});

test('the link of a mail, as a file without a mail server, opens in a browser and makes a member', async () => {
  const acme = await api.seed('Acme');
  const path = `/api/organizations/${acme.organizationId}/invites`;
  expect(
    (await api.as(acme.key).send('post', path).send({ target_email: 'bob@x.example', message: 'Grüße' })).body,
  ).toMatchObject({ emailing_attempt_made: true });
  const [file = ''] = readdirSync(folder);
  const mail = readFileSync(join(folder, file), 'utf8');
  expect(mail).toMatch(/^To: bob@x\.example\r$/m);
  const [link = ''] = /http:\/\/\S+/.exec(mail.replaceAll('=\r\n', '')) ?? [];
  expect(link.startsWith(`${api.api.url}/invites/`)).toBe(true);

  const page = await fetch(link);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<form method="post"');
  const joined = await fetch(link, {
    method: 'POST',
    body: new URLSearchParams({ first_name: 'Bob' }),
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  const [key = ''] = /phx_\w+/.exec(await joined.text()) ?? [];
  expect((await api.as(key).send<{ email: string }>('get', '/api/users/@me')).body.email).toBe('bob@x.example');
  expect((await fetch(link)).status).toBe(200);
});

test('without mail settings, the invite is made, reports that, and is passed on by a copied link', async () => {
  const silent = await startTestApi(
    {},
    {
      mailer: createMailer(readConfig(mailSettings, {}), {
        clock: { nowMs: () => 0 },
        logger: createLogger('test', 'silent'),
      }),
    },
  );
  try {
    const acme = await silent.seed('Acme');
    const path = `/api/organizations/${acme.organizationId}/invites`;
    const { status, body } = await silent.as(acme.key).send('post', path).send({ target_email: 'bob@x.example' });
    expect([status, body]).toEqual([201, expect.objectContaining({ emailing_attempt_made: false })]);
    expect((await silent.as(acme.key).send('post', `${path}/${body.id}/resend`)).body).toMatchObject({
      code: 'conflict',
      detail: 'Mail is not configured. Copy the link instead.',
    });
    const { link } = (await silent.as(acme.key).send<{ link: string }>('post', `${path}/${body.id}/copy_link`)).body;
    expect((await silent.as(undefined).send('get', new URL(link).pathname)).text).toContain('<form');
  } finally {
    await silent.stop();
  }
});
