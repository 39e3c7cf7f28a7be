import { expect, test } from '@jest/globals';
import { processedDraft } from '../test/drafts.ts';

test('a client cannot mark itself as verified (contract/capture 2.6)', () => {
  const draft = processedDraft({}, '{"$verified":true,"a":{"$verified":1}}');
  expect(draft.properties.text).toBe('{"a":{"$verified":1}}');
  expect(draft.properties.values).toEqual({ a: { $verified: 1 } });
});
