import { describe, expect, test } from '@jest/globals';
import { readPage } from '@millrace/testkit/documented-examples.ts';
import type { Alert } from '../delivery.ts';
import { alertMail } from './alert-mail.ts';
import { alertPayload } from './alert-payload.ts';

const place = { projectId: 7, projectName: 'Shop', address: 'https://api.example.com' };
const issue = {
  id: 'a1',
  name: 'TypeError',
  description: 'x is undefined',
  first_seen_at: '2026-11-01T10:00:00+00:00',
  frame: { function: 'addToCart', file: 'src/cart.ts', line: 12 },
  release: { version: '1.4.2', project: 'shop-web' },
};
/** Words of a mail as readers see them. */
const seenOf = (text: string): string => text.replaceAll('\u200b', '');
const alert: Alert = {
  ...{ id: 'd1', type: 'issue.created', issues: [issue], createdCount: 1, regressedCount: 0 },
  createdAt: new Date('2026-11-01T10:00:05Z'),
};
const url = 'https://api.example.com/api/projects/7/error_tracking/issues/';

describe('the body of a webhook', () => {
  test('says what happened, when, and where to look', () => {
    expect(JSON.parse(alertPayload(alert, place))).toEqual({
      type: 'issue.created',
      timestamp: '2026-11-01T10:00:05.000Z',
      data: {
        project: { id: 7, name: 'Shop' },
        issue: {
          ...{ id: 'a1', name: 'TypeError', description: 'x is undefined', status: 'active' },
          frame: { function: 'addToCart', file: 'src/cart.ts', line: 12 },
          release: { version: '1.4.2', project: 'shop-web' },
          ...{ first_seen: '2026-11-01T10:00:00.000Z', url: `${url}a1/` },
        },
      },
    });
  });

  test('has no frame and no release of alerts from before they were noted, or when none is known', () => {
    const { frame: _frame, release: _release, ...before } = issue;
    for (const one of [before, { ...issue, frame: null, release: null }])
      expect(JSON.parse(alertPayload({ ...alert, issues: [one] }, place))).toMatchObject({
        data: { issue: { id: 'a1', frame: null, release: null } },
      });
  });

  test('is as docs/error-tracking.md shows it', () => {
    const shown = readPage('error-tracking.md').split('```json alert\n')[1]?.split('```', 1)[0] ?? '';
    const documented = JSON.parse(shown) as { data: { issue: { id: string } } };
    const issues = [{ ...issue, id: documented.data.issue.id }];
    expect(JSON.parse(alertPayload({ ...alert, issues }, { ...place, projectId: 1 }))).toEqual(documented);
  });

  test('of a digest counts issues and names the first', () => {
    const digest: Alert = { ...alert, type: 'issues.digest', createdCount: 57, regressedCount: 2 };
    expect(JSON.parse(alertPayload(digest, place))).toMatchObject({
      data: {
        created: 57,
        regressed: 2,
        url,
        issues: [{ id: 'a1', frame: { line: 12 }, release: { version: '1.4.2' } }],
      },
    });
  });
});

describe('a mail', () => {
  test('says what happened, when, and where to look', () => {
    const { subject, text } = alertMail(alert, place);
    expect(subject).toBe('[Shop] New issue: TypeError');
    expect(seenOf(text)).toContain(
      `first seen at 2026-11-01 10:00 UTC:\n\nTypeError\nx is undefined\nat addToCart (src/cart.ts:12)\nin release 1.4.2 of shop-web\n\n${url}a1/\n`,
    );
    expect(alertMail({ ...alert, type: 'issue.regressed' }, place).subject).toBe('[Shop] Regressed: TypeError');
  });

  test.each([
    ['as far as it is known', { function: null, file: 'src/cart.ts', line: 12 }, 'at src/cart.ts:12\n'],
    ['without a line', { function: 'addToCart', file: 'src/cart.ts', line: null }, 'at addToCart (src/cart.ts)\n'],
    ['without a file', { function: 'addToCart', file: null, line: 12 }, 'at addToCart\n'],
    ['not at all', { function: null, file: null, line: 12 }, ''],
    ['not at all', null, ''],
  ])('names the frame %s', (_how, frame, line) => {
    const { text } = alertMail({ ...alert, issues: [{ ...issue, frame, release: null }] }, place);
    expect(seenOf(text)).toContain(`\nx is undefined\n${line}\n${url}`);
  });

  test('of a digest counts issues and names the first', () => {
    const { subject, text } = alertMail(
      { ...alert, type: 'issues.digest', createdCount: 57, regressedCount: 1 },
      place,
    );
    expect(subject).toBe('[Shop] 57 more new issues, 1 more that regressed');
    expect(text).toContain(`- TypeError\n  ${url}a1/\n- and 57 others`);
  });

  test('makes no link and no line of the texts of events', () => {
    const hostile = {
      ...issue,
      name: 'Visit https://evil.example\r\nBcc: eve@example.com',
      description: 'a\n\nhttp://evil.example',
      frame: { function: 'f\nBcc: eve@example.com', file: 'https://evil.example/app.js', line: 1 },
      release: { version: '1\r\nBcc: eve@example.com', project: 'evil.example' },
    };
    const { subject, text } = alertMail({ ...alert, issues: [hostile] }, place);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject + text).not.toMatch(/evil\.example|eve@example/);
    expect(text).not.toMatch(/^Bcc/m);
  });
});
