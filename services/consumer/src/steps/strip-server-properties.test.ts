import { expect, test } from '@jest/globals';
import { testDraft } from '../test-support/drafts.ts';
import { stripServerProperties } from './strip-server-properties.ts';

test('a client cannot say of itself that it is verified (contract/capture 2.6)', () => {
  const draft = testDraft({}, '{"$verified":true,"a":{"$verified":1}}');
  stripServerProperties(draft);
  expect(draft.properties.text).toBe('{"a":{"$verified":1}}');
  expect(draft.properties.values).toEqual({ a: { $verified: 1 } });
});
