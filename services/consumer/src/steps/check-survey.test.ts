import { expect, test } from '@jest/globals';
import { processedDraft, testHead } from '../test/drafts.ts';

test.each([
  ['survey sent', '{"$survey_id":"s-1"}', 0],
  ['survey sent', '{}', 1],
  ['survey shown', '{"$survey_id":""}', 1],
  ['survey dismissed', '{"$survey_id":null}', 1],
  ['survey dismissed', '{"$survey_id":7}', 0],
  ['clicked', '{}', 0],
])(
  'a "%s" with %s is stored, with %i warnings: the project hears of one that no survey counts (contract/decisions 13)',
  (event, body, warnings) => {
    const reported = {
      type: 'missing_survey_id',
      details: { eventUuid: testHead.uuid, event, distinctId: testHead.distinctId, pipelineStep: 'check-survey' },
    };
    expect(processedDraft({ event }, body).warnings).toEqual(Array.from({ length: warnings }, () => reported));
  },
);
