import { warn, type EventDraft } from '../events/event-draft.ts';
import { ok, type Outcome } from '../events/outcome.ts';

/**
 * A survey's event that does not say which survey is stored, and counted nowhere (contract/decisions 13). It leaves a
 * warning.
 */
export function checkSurvey(draft: EventDraft): Outcome {
  if (!draft.eventKind.isOfSurvey) return ok;
  const id = draft.properties.get('$survey_id');
  // Ids are compared as texts: a number is one too.
  if (id === undefined || id === null || id === '') warn(draft, 'missing_survey_id');
  return ok;
}
