import type { Route } from '@millrace/http/define-route.ts';
import type { Context } from './context.ts';
import { listIngestionWarnings } from './features/ingestion-warnings/list-ingestion-warnings.ts';
import { retrieveOrganization } from './features/organizations/retrieve-organization.ts';
import { createEndpoint } from './features/query-endpoints/create-endpoint.ts';
import { deleteEndpoint } from './features/query-endpoints/delete-endpoint.ts';
import { listEndpoints } from './features/query-endpoints/list-endpoints.ts';
import { retrieveEndpoint } from './features/query-endpoints/retrieve-endpoint.ts';
import { runEndpoint, runEndpointByGet } from './features/query-endpoints/run-endpoint.ts';
import { showEndpoint } from './features/query-endpoints/show-endpoint.ts';
import { getIndex } from './features/schema/get-index.ts';
import { getReference, getReferenceFile } from './features/schema/get-reference.ts';
import { getSchema } from './features/schema/get-schema.ts';
import { archiveSurveyResponse } from './features/surveys/archive-survey-response.ts';
import { countSurveyResponses } from './features/surveys/count-survey-responses.ts';
import { listArchivedResponses } from './features/surveys/list-archived-responses.ts';
import { retrieveSurveyStats } from './features/surveys/retrieve-survey-stats.ts';
import { unarchiveSurveyResponse } from './features/surveys/unarchive-survey-response.ts';
import { retrieveUser } from './features/users/retrieve-user.ts';

/** Every route of the API. Fixed names stand before the parameter that would swallow them. */
export const routes: readonly Route<Context>[] = [
  getIndex,
  getSchema,
  getReference,
  getReferenceFile,

  retrieveUser,
  retrieveOrganization,

  listEndpoints,
  createEndpoint,
  retrieveEndpoint,
  deleteEndpoint,
  runEndpoint,
  runEndpointByGet,
  showEndpoint,

  listIngestionWarnings,

  countSurveyResponses,
  retrieveSurveyStats,
  archiveSurveyResponse,
  unarchiveSurveyResponse,
  listArchivedResponses,
];
