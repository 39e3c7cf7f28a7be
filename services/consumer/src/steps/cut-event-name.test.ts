import { describe, expect, test } from '@jest/globals';
import { processedDraft } from '../test/drafts.ts';

describe('cutEventName (contract/capture 1.9)', () => {
  test('a name of 200 code points stays, however many units it takes', () => {
    const event = '😀'.repeat(200);
    const draft = processedDraft({ event });
    expect(draft.event).toBe(event);
    expect(draft.warnings).toEqual([]);
  });

  test('a longer one keeps its first 200 code points, whole, and leaves a warning', () => {
    const draft = processedDraft({ event: `${'a'.repeat(199)}😀😀` });
    expect(draft.event).toBe(`${'a'.repeat(199)}😀`);
    expect(draft.warnings).toMatchObject([{ type: 'event_name_truncated', details: { eventNameLength: 201 } }]);
  });
});
