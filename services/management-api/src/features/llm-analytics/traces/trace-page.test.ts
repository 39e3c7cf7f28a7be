import { expect, test } from '@jest/globals';
import { AppError } from '@millrace/http/errors/errors.ts';
import { askForKeyPage, traceErrorPage, tracePageBytes } from './trace-page.ts';
import { storedTrace, type TestEvent } from './testing/stored-events.ts';

const shown = (events: readonly TestEvent[], traceId = 't', eventsOmitted = 0): string =>
  Buffer.from(tracePageBytes(traceId, storedTrace(events, eventsOmitted))).toString();
const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString();

test('the name of the trace, its time, its text with numbered lines', () => {
  const page = shown(
    [
      ['$ai_trace', 61, { $ai_span_name: 'Chat' }],
      ['$ai_span', 0.5, { $ai_span_name: 'a' }],
    ],
    'x',
    3,
  );
  expect(page).toContain('<title>Chat</title>');
  expect(page).toContain('<h1>Chat</h1>');
  expect(page).toContain('<p>Trace <code>x</code>, 5 events from 2026-01-31 00:00:00 to 2026-01-31 00:01:01 UTC.</p>');
  expect(page).toContain('<pre class="text">L01: CHAT\nL02: ====');
  expect(page).toMatch(/\nL\d+: \[3 events not shown\]<\/pre>/);
});

test.each([
  ['none', {}, 'Trace t'],
  ['one that nobody sees', { $ai_span_name: '\u202e\u200b' }, 'Trace t'],
  ['one of many characters', { $ai_span_name: 'n'.repeat(5000) }, 'n'.repeat(200)],
])('the title of a trace with a name: %s', (_name, properties, title) => {
  expect(shown([['$ai_trace', 0, properties]])).toContain(`<title>${title}</title>`);
});

test('an id is text too', () => {
  expect(shown([['$ai_span', 0, {}]], '<b>"&')).toContain('<code>&lt;b&gt;&quot;&amp;</code>');
});

test('the form has no error until one is said; nothing of a page runs', () => {
  expect(textOf(askForKeyPage().chunks)).not.toContain('role="alert"');
  const form = new Map([['date_to', ['"><script>']]]);
  const page = traceErrorPage(new AppError('not_found', { detail: "Trace '<script>' not found." }), form);
  expect(textOf(page.chunks)).toContain('name="date_from" value="-90d"');
  expect(textOf(page.chunks)).toContain('name="date_to" value="&quot;&gt;&lt;script&gt;"');
  expect(textOf(page.chunks)).toContain('role="alert">Trace &#39;&lt;script&gt;&#39; not found.</p>');
  expect(textOf(page.chunks)).toContain(
    '<input id="personal_api_key" name="personal_api_key" type="password" required autocomplete="off">',
  );
});

test('a text that would be too large is 413', () => {
  // Indentation makes 40 KB of each of these states.
  const deep = `${'{"a":'.repeat(190)}${`[${'1,'.repeat(2000)}1]`}${'}'.repeat(190)}`;
  const events = Array.from({ length: 200 }, (_, at): TestEvent => ['$ai_span', at, `{"$ai_input_state":${deep}}`]);
  expect(() => tracePageBytes('t', storedTrace(events))).toThrow(
    expect.objectContaining({ code: 'request_too_large' }),
  );
});
