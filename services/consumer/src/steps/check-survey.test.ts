import { expect, test } from '@jest/globals';
import { testDraft } from '../test-support/drafts.ts';
import { checkSurvey } from './check-survey.ts';

test.each([
  ['survey sent', '{"$survey_id":"s-1"}', 0],
  ['survey sent', '{}', 1],
  ['survey shown', '{"$survey_id":""}', 1],
  ['survey dismissed', '{"$survey_id":7}', 1],
  ['clicked', '{}', 0],
])('a "%s" with %s is stored, with %i warnings: the project hears of one that no survey counts (contract/decisions 13)', (event, body, warnings) => {
  const draft = testDraft({ event }, body);
  expect(checkSurvey(draft)).toEqual({ kind: 'ok' });
  expect(draft.warnings.map(({ type }) => type)).toEqual(Array.from({ length: warnings }, () => 'missing_survey_id'));
});
