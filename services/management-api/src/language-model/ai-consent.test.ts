import { describe, expect, test } from '@jest/globals';
import { AppError, errorBody } from '@millrace/http/errors/errors.ts';
import { requireAiConsent } from './ai-consent.ts';
import { LanguageModelError, type LanguageModelErrorKind } from './language-model.ts';
import { modelErrorReply } from './model-error-reply.ts';

const outside = { isConfigured: true };
const none = { isConfigured: false };

describe("an organization's consent to AI data processing", () => {
  test.each([
    [true, outside],
    [true, none],
    [null, none],
  ])('%j is enough with %j', (approved, model) => expect(() => requireAiConsent(approved, model)).not.toThrow());

  test.each([
    [false, outside],
    [false, none],
    [null, outside],
  ])('%j is not enough with %j: a 403 that names the setting', (approved, model) => {
    let error: unknown;
    try {
      requireAiConsent(approved, model);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).status).toBe(403);
    expect(errorBody(error as AppError)).toMatchObject({
      code: 'permission_denied',
      error: expect.stringContaining('is_ai_data_processing_approved'),
    });
  });
});

test('the sentence of a route that documents one comes first', () =>
  expect(() => requireAiConsent(false, none, 'translation')).toThrow(
    /^AI data processing must be approved by your organization before using translation\. .*is_ai_data_processing_approved/,
  ));

test.each<[LanguageModelErrorKind, number]>([
  ['not_configured', 503],
  ['unreachable', 503],
  ['failed', 502],
])('a model that is %s is a %d, with the bare error', (kind, status) => {
  const reply = modelErrorReply(new LanguageModelError(kind, 'It is away.'));
  expect([reply.status, errorBody(reply)['error']]).toEqual([status, 'It is away.']);
});
