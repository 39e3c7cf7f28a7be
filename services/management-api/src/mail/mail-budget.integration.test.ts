import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from '../app.ts';
import { addMember, refusalOf, startInviteApi, tokenIn, type InviteReply } from '../test/invite-world.ts';
import type { Seed } from '../test/test-api.ts';

// The operator's mail server is nobody's to flood strangers with: always on, and counted for all processes together.

const perDay = 12;
const minuteMs = 60_000;
const dayMs = 86_400_000;

let world: Awaited<ReturnType<typeof startInviteApi>>;
let second: ManagementApi;
let acme: Seed;
beforeAll(async () => {
  world = await startInviteApi({ MAIL_ORGANIZATION_DAY_MAX: String(perDay) });
  second = await world.api.startProcess();
});
afterAll(() => world?.api.stop());
beforeEach(async () => {
  acme = await world.api.seed('Acme');
  world.mail.sent.length = 0;
  world.mail.fails = false;
  world.time.aheadMs = 0;
});

const invites = () => `/api/organizations/${acme.organizationId}/invites`;
const send = (path: string, body: object = {}, app = world.api.api) =>
  world.api.as(acme.key, app).send<InviteReply & { detail: string }>('post', path).send(body);
const invite = (target_email: string, more: object = {}, app = world.api.api) =>
  send(invites(), { target_email, ...more }, app);
const submit = (representative_email: string, document_type = 'DPA') =>
  send(`/api/organizations/${acme.organizationId}/legal_documents`, {
    document_type,
    company_name: 'Acme',
    company_address: 'Main Street 1',
    representative_email,
  });
const remove = (id: string, kind = 'invites') =>
  world.api.as(acme.key).send('delete', `/api/organizations/${acme.organizationId}/${kind}/${id}`);
const waitOf = ({ headers }: { headers: Record<string, string> }) => Number(headers['retry-after']);
const fill = async (mails: number, sentAt = new Date()) =>
  await world.api.prisma.sentMail.createMany({
    data: Array.from({ length: mails }, (_, at) => ({
      organizationId: acme.organizationId,
      kind: 'invite',
      address: `filled-${at}@x.example`,
      sentAt,
    })),
  });

describe('one address is mailed once in ten minutes', () => {
  test('whether an invite is sent again, made again, or deleted and made again', async () => {
    const { id } = (await invite('bob@x.example')).body;
    const again = [
      await send(`${invites()}/${id}/resend`),
      await invite('BOB@x.example'),
      await send(`${invites()}/bulk`, [{ target_email: 'cy@x.example' }, { target_email: 'bob@x.example' }]),
      await send(`${invites()}/delegate`, { target_email: 'bob@x.example' }),
    ];
    expect(again.map(refusalOf)).toEqual(again.map(() => [429, 'throttled', null]));
    for (const reply of again) {
      expect(reply.body.detail).toMatch(
        /^bob@x\.example was sent a mail of this kind less than ten minutes ago\. Expected available in \d+ seconds\.$/,
      );
      expect([waitOf(reply) > 540, waitOf(reply) <= 600]).toEqual([true, true]);
    }
    await remove(id);
    expect((await invite('bob@x.example')).status).toBe(429);
    expect(world.mail.sent.map(({ to }) => to)).toEqual(['bob@x.example']);
    // The refused request made no invite.
    expect(await world.api.prisma.organizationInvite.count({ where: { organizationId: acme.organizationId } })).toBe(0);
    world.time.aheadMs = 11 * minuteMs;
    expect((await invite('bob@x.example')).status).toBe(201);
  });

  test('whatever tag stands behind its +, in one request too', async () => {
    expect((await invite('eve+one@x.example')).status).toBe(201);
    const again = [
      await invite('Eve+two@x.example'),
      await invite('eve@x.example'),
      await send(`${invites()}/bulk`, [{ target_email: 'dan+1@x.example' }, { target_email: 'dan+2@x.example' }]),
    ];
    expect(again.map(refusalOf)).toEqual(again.map(() => [429, 'throttled', null]));
    expect(again.map(({ body }) => body.detail.split('. ', 1)[0])).toEqual([
      'eve@x.example was sent a mail of this kind less than ten minutes ago',
      'eve@x.example was sent a mail of this kind less than ten minutes ago',
      'One request may send only one such mail to a mailbox',
    ]);
    expect(world.mail.sent.map(({ to }) => to)).toEqual(['eve+one@x.example']);
  });

  test('a refused resend leaves the mailed link as it was', async () => {
    const { id } = (await invite('bob@x.example')).body;
    expect((await send(`${invites()}/${id}/resend`)).status).toBe(429);
    expect(
      (await world.api.as(undefined).send('get', `/invites/${tokenIn(world.mail.sent[0]?.text ?? '')}`)).text,
    ).toContain('<form');
  });

  test('links to pass on, and invites without a mail, are not counted', async () => {
    const made = [
      await invite('bob@x.example', { send_email: false }),
      await invite('bob@x.example', { send_email: false }),
      await invite('bob@x.example'),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await send(`${invites()}/${made[2]?.body.id}/copy_link`)).status).toBe(200);
    expect(await world.api.prisma.sentMail.count({ where: { organizationId: acme.organizationId } })).toBe(1);
  });

  test('one that could not be sent may be sent again at once', async () => {
    world.mail.fails = true;
    const { id } = (await invite('bob@x.example')).body;
    world.mail.fails = false;
    expect((await send(`${invites()}/${id}/resend`)).body.emailing_attempt_made).toBe(true);
    expect(await world.api.prisma.sentMail.count({ where: { organizationId: acme.organizationId } })).toBe(2);
  });

  test('requests to sign: withdrawn and submitted again', async () => {
    const { body } = await submit('rep@x.example');
    await remove(body.id, 'legal_documents');
    const again = await submit('rep@x.example');
    expect([refusalOf(again), world.mail.sent.length]).toEqual([[429, 'throttled', null], 1]);
    expect(await world.api.prisma.legalDocument.count({ where: { organizationId: acme.organizationId } })).toBe(0);
    // Another kind of mail, and another address.
    expect([(await invite('rep@x.example')).status, (await submit('other@x.example')).status]).toEqual([201, 201]);
  });
});

describe('an organization sends so many mails in 24 hours', () => {
  test('for all concurrent processes together; others keep sending', async () => {
    const requested = Array.from({ length: perDay + 8 }, (_, at) =>
      invite(`many-${at}@x.example`, {}, at % 2 === 0 ? world.api.api : second),
    );
    const replies = await Promise.all(requested);
    expect(replies.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: perDay }, () => 201),
      ...Array.from({ length: 8 }, () => 429),
    ]);
    expect(world.mail.sent).toHaveLength(perDay);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.body.detail).toContain(
      `An organization may send at most ${perDay} mails in 24 hours. Expected available in`,
    );
    expect([waitOf(refused ?? { headers: {} }) > 86_000, waitOf(refused ?? { headers: {} }) <= 86_400]).toEqual([
      true,
      true,
    ]);
    expect((await submit('rep@x.example')).status).toBe(429);
    acme = await world.api.seed('Other');
    expect((await invite('many-0@x.example')).status).toBe(201);
  });

  test('the reply names the time when all requested mails may be sent', async () => {
    const now = Date.now();
    await fill(perDay - 2, new Date(now - dayMs + 3_600_000));
    await fill(1, new Date(now));
    const list = (mails: number) =>
      send(
        `${invites()}/bulk`,
        Array.from({ length: mails }, (_, at) => ({ target_email: `list-${at}@x.example` })),
      );
    const refused = await list(3);
    expect([refused.status, Math.round(waitOf(refused) / 600)]).toEqual([429, 6]);
    expect([waitOf(await list(perDay)) > 80_000, waitOf(await list(perDay + 1)) > 80_000]).toEqual([true, true]);
    world.time.aheadMs = 3_600_000 + minuteMs;
    expect((await list(3)).status).toBe(200);
    expect(await world.api.prisma.sentMail.count({ where: { organizationId: acme.organizationId } })).toBe(4);
  });

  test('notices use at most half of them, and block no requested mail', async () => {
    for (let at = 0; at < 4; at++) await addMember(world.api, acme, `Reader${at}`, 1);
    const join = async (address: string) => {
      const { id } = (await invite(address, { send_email: false })).body;
      const { link } = (await send(`${invites()}/${id}/copy_link`)).body;
      return (
        await world.api
          .as(undefined)
          .send('post', `/invites/${tokenIn(link)}`)
          .set('Content-Type', 'application/x-www-form-urlencoded')
          .send('first_name=New')
      ).text;
    };
    expect(await join(`a-${acme.projectId}@x.example`)).toContain('phx_');
    await eventually(() => expect(world.mail.sent).toHaveLength(5));
    expect(await join(`b-${acme.projectId}@x.example`)).toContain('phx_');
    await eventually(() => expect(world.mail.sent).toHaveLength(perDay / 2));
    expect(await join(`c-${acme.projectId}@x.example`)).toContain('phx_');
    expect((await invite('asked@x.example')).body.emailing_attempt_made).toBe(true);
    expect(world.mail.sent).toHaveLength(perDay / 2 + 1);
  });

  test('mails that were held back are counted for the operator', async () => {
    await fill(perDay);
    const counted = async () =>
      Number(
        /mails_held_back_total\{kind="invite"[^}]*\} (\d+)/.exec(
          await (await fetch(`${world.api.api.operationsUrl()}/metrics`)).text(),
        )?.[1] ?? 0,
      );
    const before = await counted();
    await invite('bob@x.example');
    expect(await counted()).toBe(before + 1);
  });
});
