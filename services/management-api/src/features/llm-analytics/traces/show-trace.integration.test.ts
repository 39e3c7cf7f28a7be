import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

let api: TestApi;
let acme: Seed;
let other: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  other = await api.seed('Other');
});
afterAll(() => api?.stop());

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const security = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': expect.stringMatching(
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  ),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The path of `trace_url`, as a review gives it. */
async function pathOf(traceId: string): Promise<string> {
  const { body } = await api
    .as(acme.key)
    .send<{ trace_url: string }>('post', `/api/projects/${acme.projectId}/llm_analytics/trace_reviews/`)
    .send({ trace_id: traceId });
  return new URL(body.trace_url).pathname;
}

const ago = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().replace('T', ' ').replace('Z', '000');

/** Stores events of a trace of Acme's, a second after the other, from so many days ago. */
async function store(traceId: string, events: readonly [event: string, properties: object][], days = 1): Promise<void> {
  const begin = Date.now() - days * 86_400_000;
  await api.insertEvents(
    events.map(([event, properties], index) => ({
      team_id: acme.projectId,
      event,
      timestamp: ago((Date.now() - begin - index * 1000) / 86_400_000),
      properties: { $ai_trace_id: traceId, ...properties },
    })),
  );
}

/** Sends the form of the page as a browser does. */
function sendForm(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const sending = api.as(undefined).send('post', path).set('Accept', browser).set('Sec-Fetch-Site', 'same-origin');
  for (const [name, value] of Object.entries(headers)) sending.set(name, value);
  return sending.set('Content-Type', 'application/x-www-form-urlencoded').send(new URLSearchParams(fields).toString());
}

const words = 'A secret of Ann';
const hello: [string, object][] = [
  ['$ai_generation', { $ai_span_id: 'g', $ai_parent_id: 'root', $ai_model: 'm', $ai_input: [{ role: 'user', content: words }] }],
  ['$ai_trace', { $ai_span_id: 'root', $ai_span_name: 'Support <chat>' }],
]; // prettier-ignore

test('trace_url opens a form, and a key with the scope opens the text', async () => {
  await store('a trace', hello);
  const path = await pathOf('a trace');
  const form = await api.as(undefined).send('get', path).set('Accept', browser);
  expect([form.status, form.headers]).toEqual([200, expect.objectContaining(security)]);
  expect(form.text).toContain('<form method="post"');
  expect(form.text).not.toContain(words);

  const { key } = await api.admin.createKey({ email: acme.email, label: 'Read', scopes: ['llm_analytics:read'] });
  const shown = await sendForm(path, { personal_api_key: key, date_from: '-90d', date_to: '' });
  expect([shown.status, shown.headers]).toEqual([200, expect.objectContaining(security)]);
  expect(shown.text).toContain('<title>Support &lt;chat&gt;</title>');
  expect(shown.text).toMatch(/Trace <code>a trace<\/code>, 2 events from [\d :-]{19} to [\d :-]{19} UTC\./);
  expect(shown.text).toContain('<pre class="text">L01: SUPPORT &lt;CHAT&gt;\n');
  expect(shown.text).toContain('└─ [+] [GEN] m (m)');
  expect(shown.text).toContain(words);
  expect(shown.text).not.toContain(key);
});

test('whatever a trace holds is text on its page', async () => {
  const hostile =
    '</pre></main><script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt; <<<TRUNCATED|x|1>>> \u0000\u202e';
  await store('hostile', [
    ['$ai_trace', { $ai_span_name: `${hostile}</title>`, $ai_error: hostile }],
    ['$ai_generation', { $ai_model: hostile, $ai_input: [{ role: hostile, content: hostile }] }],
  ]);
  const { status, text } = await sendForm(await pathOf('hostile'), { personal_api_key: acme.key });
  expect(status).toBe(200);
  expect(text.match(/<\/?(?:pre|main|script|img|title|b)\b[^>]*>/g)).toEqual([
    '<title>',
    '</title>',
    '<main class="wide">',
    '<pre class="text">',
    '</pre>',
    '</main>',
  ]);
  expect(text).toContain('&lt;/pre&gt;&lt;/main&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(text).toContain('&lt;&lt;&lt;TRUNCATED|x|1&gt;&gt;&gt;');
  expect(/<title>([^<]*)/.exec(text)?.[1]).not.toMatch(/[\u0000\u202e]/);
});

test('refusals are pages with the form, and say nothing of the trace', async () => {
  await store('refused', hello);
  const path = await pathOf('refused');
  const { key: writer } = await api.admin.createKey({ email: acme.email, label: 'W', scopes: ['query:read'] });
  const cases: [fields: Record<string, string>, status: number, words: string][] = [
    [{}, 401, 'Enter a personal API key.'],
    [{ personal_api_key: '' }, 401, 'Enter a personal API key.'],
    [{ personal_api_key: 'phx_none' }, 401, 'is invalid'],
    [{ personal_api_key: writer }, 403, 'API key missing required scope &#39;llm_analytics:read&#39;'],
    [{ personal_api_key: other.key }, 403, `This API key has no access to project ${acme.projectId}.`],
    [{ personal_api_key: acme.key, date_from: 'soon' }, 400, '&quot;soon&quot; in date_from is not a time'],
    [{ personal_api_key: acme.key, date_to: '-3d' }, 404, 'Trace &#39;refused&#39; not found in the given date range.'],
  ];
  for (const [fields, status, said] of cases) {
    const reply = await sendForm(path, fields);
    expect([fields, reply.status, reply.headers]).toEqual([fields, status, expect.objectContaining(security)]);
    expect(reply.text).toContain(`<p class="wrong" role="alert">`);
    expect(reply.text).toContain(said);
    expect(reply.text).not.toContain(words);
    expect(reply.text).not.toContain(acme.key);
  }
  const asClient = await api.as(other.key).send('post', path);
  expect([asClient.status, asClient.body.code]).toEqual([403, 'permission_denied']);
});

test('the form that asks again has the dates that were sent, and not the key', async () => {
  const path = await pathOf('asked again');
  const dates = { date_from: '-7d', date_to: '2026-01-31 "x"' };
  for (const [personal_api_key, status] of [
    ['', 401],
    ['phx_none', 401],
    [other.key, 403],
    [acme.key, 400],
  ] as const) {
    const reply = await sendForm(path, { personal_api_key, ...dates });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain('name="date_from" value="-7d"');
    expect(reply.text).toContain('name="date_to" value="2026-01-31 &quot;x&quot;"');
    if (personal_api_key !== '') expect(reply.text).not.toContain(personal_api_key);
  }
  const empty = await sendForm(path, { personal_api_key: acme.key, date_from: '', date_to: '' });
  expect([empty.status, empty.text]).toEqual([404, expect.stringContaining('name="date_from" value=""')]);
});

test.each(['.', '..', '~.'])('the trace %s has an address that browsers leave as it is', async (id) => {
  await store(id, hello);
  const { status, text } = await sendForm(await pathOf(id), { personal_api_key: acme.key });
  expect([status, text]).toEqual([200, expect.stringContaining(`<code>${id}</code>`)]);
});

test("a trace of another project is unknown, also to a key of both projects' owner", async () => {
  await store('of acme', hello);
  const { projectId } = await api.admin.createProject({ organizationId: acme.organizationId, name: 'Sibling' });
  const there = (await pathOf('of acme')).replace(`/${acme.projectId}/`, `/${projectId}/`);
  const unknown = [
    await sendForm(there, { personal_api_key: acme.key }),
    await sendForm(await pathOf('no such'), { personal_api_key: acme.key }),
  ];
  for (const reply of unknown) {
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(reply.text).toContain('not found in the given date range.');
    expect(reply.text).not.toContain(words);
  }
});

test('a form of another page is refused', async () => {
  await store('elsewhere', hello);
  const reply = await sendForm(
    await pathOf('elsewhere'),
    { personal_api_key: acme.key },
    { 'Sec-Fetch-Site': 'cross-site' },
  );
  expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('The form was sent from another page.')]);
});

test('the window is 30 days unless the form says otherwise, and larger than it for a trace that reaches into it', async () => {
  await store('old', hello, 60);
  const path = await pathOf('old');
  expect((await sendForm(path, { personal_api_key: acme.key })).status).toBe(404);
  expect((await sendForm(path, { personal_api_key: acme.key, date_from: '-90d' })).status).toBe(200);
});

test('a large trace is rendered in a thread', async () => {
  const long = (at: number) => ({ $ai_span_id: `g${at}`, $ai_model: `m${at}`, $ai_input: `${words} `.repeat(8_000) });
  await store(
    'large',
    Array.from({ length: 6 }, (_, at) => ['$ai_generation', long(at)]),
  );
  const { status, text } = await sendForm(await pathOf('large'), { personal_api_key: acme.key });
  expect([status, text.split(words).length - 1]).toEqual([200, 48_000]);
  expect(text).toContain('└─ [+] [GEN] m5');
});

test('the rate of texts counts the form', async () => {
  const limited = await api.startProcess({ API_THROTTLES: 'true', API_THROTTLE_TEXT_REPR_PER_MINUTE: '1' });
  const path = await pathOf('throttled');
  const send = () =>
    api
      .as(undefined, limited)
      .send('post', path)
      .set('Accept', browser)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .send(`personal_api_key=${acme.key}`);
  expect((await send()).status).toBe(404);
  const second = await send();
  expect([second.status, second.text]).toEqual([429, expect.stringContaining('Request was throttled.')]);
  expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
});
