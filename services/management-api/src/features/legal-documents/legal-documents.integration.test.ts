import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from '../../app.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

interface Shown {
  id: string;
  status: string;
  signed_pdf_stored: boolean;
}

let api: TestApi;
let acme: Seed;

beforeAll(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  acme = await api.seed('Acme');
  api.mails.splice(0);
});
afterAll(() => api?.stop());

/** For processes whose failures are wanted. */
const quiet = { LOG_LEVEL: 'silent' };
const body = (changes: Record<string, unknown> = {}) => ({
  document_type: 'DPA',
  company_name: 'Black & <Sons>',
  company_address: 'Main Street 1',
  representative_email: 'rep@example.com',
  ...changes,
});
const submit = (changes: Record<string, unknown> = {}, app: ManagementApi = api.api) =>
  api.as(acme.key, app).send('post', `/api/organizations/${acme.organizationId}/legal_documents/`).send(body(changes));
const pathOf = (document: unknown): string =>
  `/api/organizations/${acme.organizationId}/legal_documents/${(document as Shown).id}`;
const shown = async (document: unknown) =>
  (await api.as(acme.key).send('get', pathOf(document))).body as unknown as Shown;
// Notifications of signatures are sent after the reply: such a mail may still come when the next test has begun.
const requests = () => api.mails.filter(({ subject }) => subject.startsWith('Please sign:'));
/** The path that the mailed link leads to. */
const linkPath = (): string => new URL(/http\S+/.exec(requests()[0]?.text ?? '')?.[0] ?? '').pathname;
const show = (path: string, app: ManagementApi = api.api) => api.as(undefined, app).send('get', path);
const sign = (path: string, changes: Record<string, string> = {}, app: ManagementApi = api.api) =>
  api
    .as(undefined, app)
    .send('post', path)
    .set('Content-Type', 'application/x-www-form-urlencoded')
    .send({ signer_name: 'Rep Black', signer_title: 'CEO', agreed: 'yes', ...changes });
const activities = async () =>
  (
    await api.prisma.activityLogEntry.findMany({
      where: {
        organizationId: acme.organizationId,
        itemType: { in: ['legal_document', 'organization'] },
        NOT: { activity: 'created', itemType: 'organization' },
      },
      orderBy: { id: 'asc' },
    })
  ).map(({ actor, itemType, activity, before, after }) => ({ actor, itemType, activity, before, after }));

describe('a legal document (contract/orgs-errors 2.3)', () => {
  test('is submitted, mailed to its representative, listed; its address is not echoed', async () => {
    const { status, body: document } = await submit();
    expect([status, document]).toEqual([
      201,
      {
        id: expect.any(String),
        document_type: 'DPA',
        company_name: 'Black & <Sons>',
        representative_email: 'rep@example.com',
        status: 'submitted_for_signature',
        signed_pdf_stored: false,
        created_by: { first_name: 'Acme', email: acme.email },
        created_at: expect.any(String),
      },
    ]);
    expect(requests()).toEqual([
      expect.objectContaining({
        to: 'rep@example.com',
        subject: 'Please sign: Data Processing Agreement (DPA) for Black & <Sons>',
      }),
    ]);
    const list = await api.as(acme.key).send('get', `/api/organizations/${acme.organizationId}/legal_documents`);
    expect(list.body).toEqual({ count: 1, next: null, previous: null, results: [document] });
    expect(await activities()).toEqual([
      expect.objectContaining({ actor: acme.email, itemType: 'legal_document', activity: 'created' }),
    ]);
  });

  test('there is one of each type', async () => {
    expect((await submit()).status).toBe(201);
    const again = await submit({ company_name: 'Other' });
    expect([again.status, again.body.code, again.body.attr]).toEqual([400, 'invalid_input', 'document_type']);
    expect((await submit({ document_type: 'BAA' })).status).toBe(201);
    acme = await api.seed('Twice');
    expect((await Promise.all([submit(), submit()])).map(({ status }) => status).sort()).toEqual([201, 400]);
  });

  test.each([
    [{ document_type: 'MSA' }, 'invalid_choice', 'document_type'],
    [{ document_type: 'baa' }, 'invalid_choice', 'document_type'],
    [{ company_name: '  ' }, 'blank', 'company_name'],
    [{ company_address: '' }, 'blank', 'company_address'],
    [{ company_address: 'x'.repeat(513) }, 'max_length', 'company_address'],
    [{ company_name: 'x'.repeat(256) }, 'max_length', 'company_name'],
    [{ representative_email: 'nobody' }, 'invalid_input', 'representative_email'],
    [{ representative_email: '"a\\"b"@example.com' }, 'invalid_input', 'representative_email'],
    [{ representative_email: undefined }, 'required', 'representative_email'],
    [{ company_name: 'Acme\n\n9. Payment. The Operator pays 1,000,000.' }, 'invalid_input', 'company_name'],
    [{ company_name: 'Acme\u2029\u20299. Payment' }, 'invalid_input', 'company_name'],
    [{ company_address: 'Street 1\u2028(the Customer)' }, 'invalid_input', 'company_address'],
    [{ company_address: 'Street 1\u0085x' }, 'invalid_input', 'company_address'],
    [{ company_name: 'Acme \u202esyap' }, 'invalid_input', 'company_name'],
    [{ company_address: 'Street\u200b1' }, 'invalid_input', 'company_address'],
  ])('is refused with %j', async (changes, code, attr) => {
    const { status, body: error } = await submit(changes);
    expect([status, error.code, error.attr]).toEqual([400, code, attr]);
    expect(requests()).toEqual([]);
  });

  test("repeated blanks in a customer's texts become one: they make no line of their own", async () => {
    const { body: document } = await submit({ company_name: ` Acme${' '.repeat(100)}9.\u00a0\u00a0\u3000Payment ` });
    expect((document as unknown as { company_name: string }).company_name).toBe('Acme 9. Payment');
  });

  test('a BAA can be forbidden on a system', async () => {
    const strict = await api.startProcess({ LEGAL_BAA_ALLOWED: 'false' });
    const refused = await submit({ document_type: 'BAA' }, strict);
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied']);
    expect((await submit({}, strict)).status).toBe(201);
  });

  test('stays when the signing request failed', async () => {
    const failing = await api.startProcess(quiet, {
      signing: { request: () => Promise.reject(new Error('the provider is away')), withdraw: () => Promise.resolve() },
    });
    const { status, body: document } = await submit({}, failing);
    expect([status, (await shown(document)).status]).toEqual([201, 'submitted_for_signature']);
  });
});

describe('the page behind the link', () => {
  test('shows the document, with nothing in it that a browser would run', async () => {
    await submit({ company_address: '<script>alert(1)</script>' });
    const { status, text, headers } = await show(linkPath());
    expect([status, headers['content-type'], headers['cache-control'], headers['referrer-policy']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
      'no-referrer',
    ]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text).toContain(
      '<dt>Company</dt><dd>Black &amp; &lt;Sons&gt;</dd>\n<dt>Address</dt><dd>&lt;script&gt;alert(1)&lt;/script&gt;</dd>',
    );
    expect(text).toContain('Between the company named above, at the address given above (the Customer)');
    // Facts that a customer gives about itself are in the box alone.
    expect(text.slice(text.indexOf('<article'), text.indexOf('</article>'))).not.toContain('Sons');
    expect(text).not.toContain('<script');
  });

  test('takes a signature with a name and an agreement, and nothing less', async () => {
    const { body: document } = await submit();
    const path = linkPath();
    for (const changes of [
      { signer_name: 'Rep\nSigned at: 2020' },
      { signer_title: 'CEO\u202e' },
      { signer_name: ' ' },
      { signer_name: '\u2800\u3164' },
      { agreed: '' },
      { signer_name: 'x'.repeat(256) },
      { signer_title: 'x'.repeat(256) },
    ]) {
      expect([changes, (await sign(path, changes)).text]).toEqual([changes, expect.stringContaining('role="alert"')]);
    }
    expect((await sign(path).set('Sec-Fetch-Site', 'cross-site')).text).toContain('sent from another page');
    expect(await shown(document)).toMatchObject({ status: 'submitted_for_signature', signed_pdf_stored: false });
  });

  test('signs: the PDF can be downloaded, by its link and by the organization; owners and the signer get a mail', async () => {
    const { body: document } = await submit({ representative_email: 'signer@example.com' });
    const path = linkPath();
    const signed = await sign(path);
    expect(signed.text).toMatch(/Signed by <strong>Rep Black<\/strong> on \d{4}-/);
    expect(await shown(document)).toMatchObject({ status: 'signed', signed_pdf_stored: true });

    const { status, headers } = await api.as(acme.key).send('get', `${pathOf(document)}/download/`);
    expect([status, headers['cache-control']]).toEqual([302, 'no-store']);
    const linked = /href="([^"]+)"/.exec((await show(path)).text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    for (const address of [headers['location'] ?? '', linked]) {
      const file = await api.as(undefined).send('get', new URL(address).pathname + new URL(address).search);
      expect([file.status, file.headers['content-type'], String(file.headers['content-disposition'])]).toEqual([
        200,
        'application/pdf',
        expect.stringContaining('DPA Black _ _Sons_.pdf'),
      ]);
      expect((file.body as unknown as Buffer).toString('latin1', 0, 5)).toBe('%PDF-');
    }

    const reported = () =>
      api.mails.filter(
        ({ to, subject }) => subject.startsWith('Signed:') && [acme.email, 'signer@example.com'].includes(to),
      );
    await eventually(() => expect(reported().map(({ to }) => to)).toEqual([acme.email, 'signer@example.com']));
    expect((await activities()).slice(1)).toEqual([
      {
        actor: 'signer@example.com',
        itemType: 'legal_document',
        activity: 'updated',
        before: { status: 'submitted_for_signature', signed_pdf_stored: false, signer_name: null },
        after: { status: 'signed', signed_pdf_stored: true, signer_name: 'Rep Black' },
      },
    ]);
    expect((await sign(path, { signer_name: 'Somebody Else' })).text).toContain('Signed by <strong>Rep Black</strong>');
  });

  test('a signed BAA opts its organization out of AI data processing', async () => {
    await api.prisma.organization.update({
      where: { id: acme.organizationId },
      data: { isAiDataProcessingApproved: true },
    });
    await submit({ document_type: 'BAA' });
    await sign(linkPath());
    expect(await api.prisma.organization.findUnique({ where: { id: acme.organizationId } })).toMatchObject({
      isAiDataProcessingApproved: false,
    });
    expect((await activities()).at(-1)).toEqual({
      actor: 'rep@example.com',
      itemType: 'organization',
      activity: 'updated',
      before: { is_ai_data_processing_approved: true },
      after: { is_ai_data_processing_approved: false },
    });
    await eventually(() =>
      expect(api.mails.find(({ to }) => to === acme.email)?.text).toContain(
        'no data of the organization is processed by AI',
      ),
    );
  });

  test('of several concurrent signatures one succeeds, and one file stays', async () => {
    const { body: document } = await submit();
    const path = linkPath();
    const names = ['A', 'B', 'C', 'D'];
    const pages = await Promise.all(names.map((name) => sign(path, { signer_name: name })));
    const { signerName, signedPdfKey } = await api.prisma.legalDocument.findUniqueOrThrow({
      where: { id: (document as unknown as Shown).id },
    });
    for (const { text } of pages) expect(text).toContain(`Signed by <strong>${signerName}</strong>`);
    const folder = join(api.objectsFolder, 'legal_documents');
    const kept = await api.prisma.legalDocument.findMany({ where: { NOT: { signedPdfKey: null } } });
    expect(readdirSync(folder).sort()).toEqual(kept.map((one) => one.signedPdfKey?.split('/')[1]).sort());
    expect(kept.map((one) => one.signedPdfKey)).toContain(signedPdfKey);
    expect((await activities()).filter(({ activity }) => activity === 'updated')).toHaveLength(1);
  });

  test('without a storage a document is signed and not kept as a file; with one that fails it is not signed', async () => {
    const { body: document } = await submit();
    const path = linkPath();
    const folder = join(api.objectsFolder, 'failing');
    mkdirSync(folder);
    writeFileSync(join(folder, 'legal_documents'), 'in the way');
    const failing = await api.startProcess({ ...quiet, STORAGE_DIR: folder });
    expect((await sign(path, {}, failing)).status).toBe(503);
    expect(await shown(document)).toMatchObject({ status: 'submitted_for_signature' });

    const without = await api.startProcess({ STORAGE_DIR: '' });
    const signed = await sign(path, {}, without);
    expect(signed.text).toContain('Signed by <strong>Rep Black</strong>');
    expect(signed.text).not.toContain('href=');
    expect(await shown(document)).toMatchObject({ status: 'signed', signed_pdf_stored: false });
    expect((await api.as(acme.key).send('get', `${pathOf(document)}/download`)).status).toBe(404);
  });
});

describe('a document is withdrawn', () => {
  test('while nobody has signed it; its link opens nothing then, and another can be submitted', async () => {
    const { body: document } = await submit();
    expect((await api.as(acme.key).send('delete', pathOf(document))).status).toBe(204);
    expect((await show(linkPath())).text).toContain('Nothing to sign');
    expect((await sign(linkPath())).text).toContain('Nothing to sign');
    expect((await activities()).map(({ activity }) => activity)).toEqual(['created', 'deleted']);
    await api.prisma.sentMail.deleteMany({});
    expect((await submit()).status).toBe(201);
  });

  test('but not once it is signed', async () => {
    const { body: document } = await submit();
    await sign(linkPath());
    const { status, body: error } = await api.as(acme.key).send('delete', pathOf(document));
    expect([status, error.code]).toEqual([403, 'permission_denied']);
    expect((await shown(document)).status).toBe('signed');
  });

  test('and not when the signing service cannot take it back', async () => {
    const { body: document } = await submit();
    const failing = await api.startProcess(quiet, {
      signing: { request: () => Promise.resolve(), withdraw: () => Promise.reject(new Error('the provider is away')) },
    });
    const { status, body: error } = await api.as(acme.key, failing).send('delete', pathOf(document));
    expect([status, error.code]).toEqual([503, 'legal_document_void_failed']);
    expect((await shown(document)).status).toBe('submitted_for_signature');
  });
});
