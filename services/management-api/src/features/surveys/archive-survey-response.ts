import { archive } from './archived-responses.ts';
import { responseRoute } from './response-route.ts';

export const archiveSurveyResponse = responseRoute(
  'archive',
  'Put a response away, by the uuid of its latest event',
  archive,
);
