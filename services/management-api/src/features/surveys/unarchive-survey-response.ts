import { unarchive } from './archived-responses.ts';
import { responseRoute } from './response-route.ts';

export const unarchiveSurveyResponse = responseRoute(
  'unarchive',
  'Count a response again that was put away',
  unarchive,
);
