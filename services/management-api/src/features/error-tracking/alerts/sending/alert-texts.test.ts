import { describe, expect, test } from '@jest/globals';
import type { Alert } from '../delivery.ts';
import { alertMail } from './alert-mail.ts';
import { alertPayload } from './alert-payload.ts';

const place = { projectId: 7, projectName: 'Shop', address: 'https://api.example.com' };
const issue = {
  id: 'a1',
  name: 'TypeError',
  description: 'x is undefined',
  first_seen_at: '2026-11-01T10:00:00+00:00',
};
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
          ...{ first_seen: '2026-11-01T10:00:00.000Z', url: `${url}a1/` },
        },
      },
    });
  });

  test('of a digest counts issues and names the first', () => {
    const digest: Alert = { ...alert, type: 'issues.digest', createdCount: 57, regressedCount: 2 };
    expect(JSON.parse(alertPayload(digest, place))).toMatchObject({
      data: { created: 57, regressed: 2, url, issues: [{ id: 'a1' }] },
    });
  });
});

describe('a mail', () => {
  test('says what happened, when, and where to look', () => {
    expect(alertMail(alert, place)).toEqual({
      subject: '[Shop] New issue: TypeError',
      text: expect.stringContaining(`first seen at 2026-11-01 10:00 UTC:\n\nTypeError\nx is undefined\n\n${url}a1/\n`),
    });
    expect(alertMail({ ...alert, type: 'issue.regressed' }, place).subject).toBe('[Shop] Regressed: TypeError');
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
    };
    const { subject, text } = alertMail({ ...alert, issues: [hostile] }, place);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject + text).not.toMatch(/evil\.example|eve@example/);
    expect(text).not.toMatch(/^Bcc/m);
  });
});
