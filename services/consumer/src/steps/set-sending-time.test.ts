import { describe, expect, test } from '@jest/globals';
import { processedDraft, testDraft } from '../test/drafts.ts';
import { setSendingTime } from './set-sending-time.ts';

const sentAt = '2026-05-04T10:00:00.900000Z';

function after(body: string, head: { sentAt?: string }) {
  const draft = testDraft(head, body);
  setSendingTime(draft);
  return { text: draft.properties.text, sentAt: draft.properties.get('$sent_at') };
}

describe('setSendingTime (contract/capture 2.6)', () => {
  test("the time is written behind the client's own text", () => {
    expect(after('{"a": 1.0}', { sentAt })).toEqual({ text: `{"a": 1.0,"$sent_at":"${sentAt}"}`, sentAt });
  });

  test("the client's own value wins, even null", () => {
    expect(after('{"$sent_at":"yesterday"}', { sentAt })).toEqual({
      text: '{"$sent_at":"yesterday"}',
      sentAt: 'yesterday',
    });
    expect(after('{"$sent_at":null}', { sentAt })).toEqual({ text: '{"$sent_at":null}', sentAt: null });
  });

  test('without a value of the client nothing changes', () => {
    expect(after('{ "a":1}', {})).toEqual({ text: '{ "a":1}', sentAt: undefined });
  });

  test('an event gets it on its way, behind its address', () => {
    expect(processedDraft({ sentAt, ip: '::1' }, '{}').properties.text).toBe(`{"$ip":"::1","$sent_at":"${sentAt}"}`);
  });
});
