import type { Route } from '@millrace/http/define-route.ts';
import type { Context as IntegrationsContext } from './features/integrations/context.ts';
import type { Context as InvitesContext } from './features/invites/context.ts';
import type { Context as LegalContext } from './features/legal-documents/context.ts';
import type { Context as LlmContext } from './features/llm-analytics/context.ts';
import type { Context as ProjectsContext } from './features/projects/context.ts';
import type { Context as EndpointsContext } from './features/query-endpoints/context.ts';
import type { Context as SchemaContext } from './features/schema/context.ts';
import { listOrganizationActivities, listProjectActivities } from './features/activity-log/list-activities.ts';
import type { Context as ErrorTrackingContext } from './features/error-tracking/context.ts';
import { errorTrackingRoutes } from './features/error-tracking/error-tracking-routes.ts';
import { listEventDefinitions } from './features/event-definitions/list-event-definitions.ts';
import {
  retrieveEventDefinition,
  retrieveEventDefinitionByName,
} from './features/event-definitions/retrieve-event-definition.ts';
import { retrieveTypescriptModule } from './features/event-definitions/retrieve-typescript-module.ts';
import { updateEventDefinition } from './features/event-definitions/update-event-definition.ts';
import { createInsightVariable } from './features/insight-variables/create-variable.ts';
import { deleteInsightVariable } from './features/insight-variables/delete-variable.ts';
import { listInsightVariables } from './features/insight-variables/list-variables.ts';
import { retrieveInsightVariable } from './features/insight-variables/retrieve-variable.ts';
import { updateInsightVariable } from './features/insight-variables/update-variable.ts';
import { cancelQuery, cancelQueryNamedSchema } from './features/queries/cancel-query.ts';
import { retrieveQuerySchema } from './features/queries/retrieve-query-schema.ts';
import { runQuery } from './features/queries/run-query.ts';
import { listIngestionWarnings } from './features/ingestion-warnings/list-ingestion-warnings.ts';
import { acceptInvite } from './features/invites/acceptance/accept-invite.ts';
import { copyInviteLink } from './features/invites/copy-invite-link.ts';
import { createInvite } from './features/invites/create-invite.ts';
import { createInvites } from './features/invites/create-invites.ts';
import { delegateSetup } from './features/invites/delegate-setup.ts';
import { deleteInvite } from './features/invites/delete-invite.ts';
import { listInvites } from './features/invites/list-invites.ts';
import { resendInvite } from './features/invites/resend-invite.ts';
import { joinByInvite, showInvite } from './features/invites/show-invite.ts';
import { claimNextReviewQueueItem } from './features/llm-analytics/review-queue-items/claim-next-review-queue-item.ts';
import { claimReviewQueueItem } from './features/llm-analytics/review-queue-items/claim-review-queue-item.ts';
import { createReviewQueueItem } from './features/llm-analytics/review-queue-items/create-review-queue-item.ts';
import { createReviewQueueItems } from './features/llm-analytics/review-queue-items/create-review-queue-items.ts';
import { deleteReviewQueueItem } from './features/llm-analytics/review-queue-items/delete-review-queue-item.ts';
import { listReviewQueueItems } from './features/llm-analytics/review-queue-items/list-review-queue-items.ts';
import { releaseReviewQueueItem } from './features/llm-analytics/review-queue-items/release-review-queue-item.ts';
import { retrieveReviewQueueItem } from './features/llm-analytics/review-queue-items/retrieve-review-queue-item.ts';
import { updateReviewQueueItem } from './features/llm-analytics/review-queue-items/update-review-queue-item.ts';
import { createReviewQueue } from './features/llm-analytics/review-queues/create-review-queue.ts';
import { deleteReviewQueue } from './features/llm-analytics/review-queues/delete-review-queue.ts';
import { listReviewQueues } from './features/llm-analytics/review-queues/list-review-queues.ts';
import { retrieveReviewQueue } from './features/llm-analytics/review-queues/retrieve-review-queue.ts';
import { updateReviewQueue } from './features/llm-analytics/review-queues/update-review-queue.ts';
import { createScoreDefinition } from './features/llm-analytics/score-definitions/create-score-definition.ts';
import { createScoreDefinitionVersion } from './features/llm-analytics/score-definitions/create-score-definition-version.ts';
import { listScoreDefinitionVersions } from './features/llm-analytics/score-definitions/list-score-definition-versions.ts';
import { listScoreDefinitions } from './features/llm-analytics/score-definitions/list-score-definitions.ts';
import { retrieveScoreDefinition } from './features/llm-analytics/score-definitions/retrieve-score-definition.ts';
import { retrieveScoreDefinitionVersion } from './features/llm-analytics/score-definitions/retrieve-score-definition-version.ts';
import { updateScoreDefinition } from './features/llm-analytics/score-definitions/update-score-definition.ts';
import { validateScoreComposition } from './features/llm-analytics/score-definitions/validate-score-composition.ts';
import { createTraceReview } from './features/llm-analytics/trace-reviews/create-trace-review.ts';
import { deleteTraceReview } from './features/llm-analytics/trace-reviews/delete-trace-review.ts';
import { listTraceReviews } from './features/llm-analytics/trace-reviews/list-trace-reviews.ts';
import { retrieveTraceReview } from './features/llm-analytics/trace-reviews/retrieve-trace-review.ts';
import { updateTraceReview } from './features/llm-analytics/trace-reviews/update-trace-review.ts';
import { checkSummaries } from './features/llm-analytics/summaries/check-summaries.ts';
import { createSummarization } from './features/llm-analytics/summaries/create-summarization.ts';
import { readTrace, showTrace } from './features/llm-analytics/traces/show-trace.ts';
import { createTextRepr } from './features/llm-analytics/text-repr/create-text-repr.ts';
import { createTranslation } from './features/llm-analytics/translation/create-translation.ts';
import { deleteMember } from './features/members/delete-member.ts';
import { listMemberKeys } from './features/members/list-member-keys.ts';
import { listMembers } from './features/members/list-members.ts';
import { retrieveCodeHostLogin, retrieveGithubLogin } from './features/members/retrieve-code-host-login.ts';
import { updateMember } from './features/members/update-member.ts';
import { listOauthApplications } from './features/oauth-applications/list-oauth-applications.ts';
import { deleteIntegration } from './features/integrations/delete-integration.ts';
import { listIntegrations } from './features/integrations/list-integrations.ts';
import { retrieveIntegration } from './features/integrations/retrieve-integration.ts';
import { updateEnvironmentMapping } from './features/integrations/update-environment-mapping.ts';
import { createLegalDocument } from './features/legal-documents/create-legal-document.ts';
import { deleteLegalDocument } from './features/legal-documents/delete-legal-document.ts';
import { downloadLegalDocument } from './features/legal-documents/download-legal-document.ts';
import { listLegalDocuments } from './features/legal-documents/list-legal-documents.ts';
import { retrieveLegalDocument } from './features/legal-documents/retrieve-legal-document.ts';
import { showLegalDocument, signLegalDocument } from './features/legal-documents/show-legal-document.ts';
import { listOrganizations } from './features/organizations/list-organizations.ts';
import { retrieveOrganization } from './features/organizations/retrieve-organization.ts';
import { updateOrganization } from './features/organizations/update-organization.ts';
import { createKey } from './features/personal-api-keys/create-key.ts';
import { deleteKey } from './features/personal-api-keys/delete-key.ts';
import { introspectToken } from './features/personal-api-keys/introspect-token.ts';
import { listKeys } from './features/personal-api-keys/list-keys.ts';
import { retrieveCurrentKey, retrieveKey } from './features/personal-api-keys/retrieve-key.ts';
import { rollKey } from './features/personal-api-keys/roll-key.ts';
import { updateKey } from './features/personal-api-keys/update-key.ts';
import { createProject } from './features/projects/create-project.ts';
import { deleteProject } from './features/projects/delete-project.ts';
import { resetProjectToken } from './features/projects/reset-project-token.ts';
import { retrieveProject } from './features/projects/retrieve-project.ts';
import { updateProject } from './features/projects/update-project.ts';
import { listProjects } from './features/projects/list-projects.ts';
import { listPropertyDefinitions } from './features/property-definitions/list-property-definitions.ts';
import { retrievePropertyDefinition } from './features/property-definitions/retrieve-property-definition.ts';
import { updatePropertyDefinition } from './features/property-definitions/update-property-definition.ts';
import { createEndpoint } from './features/query-endpoints/create-endpoint.ts';
import { deleteEndpoint } from './features/query-endpoints/delete-endpoint.ts';
import { listEndpoints } from './features/query-endpoints/list-endpoints.ts';
import { listEndpointLogs } from './features/query-endpoints/runs/history/list-endpoint-logs.ts';
import { listLastExecutionTimes } from './features/query-endpoints/runs/history/list-last-execution-times.ts';
import { listEndpointVersions } from './features/query-endpoints/list-endpoint-versions.ts';
import { listMaterializationConditions } from './features/query-endpoints/materialization/list-materialization-conditions.ts';
import { previewMaterialization } from './features/query-endpoints/materialization/preview-materialization.ts';
import { retrieveMaterializationStatus } from './features/query-endpoints/materialization/retrieve-materialization-status.ts';
import { suggestMaterialization } from './features/query-endpoints/materialization/suggestion/suggest-materialization.ts';
import { retrieveEndpointDocument } from './features/query-endpoints/document/retrieve-endpoint-document.ts';
import { retrieveEndpoint } from './features/query-endpoints/retrieve-endpoint.ts';
import { retrieveEndpointStats } from './features/query-endpoints/runs/history/retrieve-endpoint-stats.ts';
import { createEndpointToken } from './features/query-endpoints/tokens/create-endpoint-token.ts';
import { deleteEndpointToken } from './features/query-endpoints/tokens/delete-endpoint-token.ts';
import { listEndpointTokens } from './features/query-endpoints/tokens/list-endpoint-tokens.ts';
import { runEndpoint, runEndpointByGet } from './features/query-endpoints/runs/run-endpoint.ts';
import { showEndpoint } from './features/query-endpoints/show-endpoint.ts';
import { replaceEndpoint, updateEndpoint } from './features/query-endpoints/update-endpoint.ts';
import { getIndex } from './features/schema/get-index.ts';
import { getReference, getReferenceFile } from './features/schema/get-reference.ts';
import { getSchema } from './features/schema/get-schema.ts';
import { archiveSurveyResponse } from './features/surveys/archive-survey-response.ts';
import { countSurveyResponses } from './features/surveys/count-survey-responses.ts';
import { listArchivedResponses } from './features/surveys/list-archived-responses.ts';
import { retrieveSurveyStats } from './features/surveys/retrieve-survey-stats.ts';
import { unarchiveSurveyResponse } from './features/surveys/unarchive-survey-response.ts';
import { retrieveUser } from './features/users/retrieve-user.ts';
import { updateUser } from './features/users/update-user.ts';

/** The parts of all features. */
export interface AllParts
  extends
    IntegrationsContext,
    InvitesContext,
    LegalContext,
    LlmContext,
    ProjectsContext,
    EndpointsContext,
    ErrorTrackingContext,
    SchemaContext {}

/** Every route of the API, in the order of the reference. Fixed names precede the parameter that would match them. */
export const routes: readonly Route<AllParts>[] = [
  createEndpoint,
  listEndpoints,
  runEndpoint,
  runEndpointByGet,
  listLastExecutionTimes,
  listMaterializationConditions,
  retrieveEndpoint,
  updateEndpoint,
  replaceEndpoint,
  deleteEndpoint,
  listEndpointVersions,
  listEndpointLogs,
  retrieveEndpointStats,
  retrieveEndpointDocument,
  createEndpointToken,
  listEndpointTokens,
  deleteEndpointToken,
  retrieveMaterializationStatus,
  previewMaterialization,
  suggestMaterialization,
  showEndpoint,

  runQuery,
  retrieveQuerySchema,
  cancelQueryNamedSchema,
  cancelQuery,

  listInsightVariables,
  createInsightVariable,
  retrieveInsightVariable,
  updateInsightVariable,
  deleteInsightVariable,

  listEventDefinitions,
  retrieveEventDefinitionByName,
  retrieveTypescriptModule,
  retrieveEventDefinition,
  updateEventDefinition,
  listPropertyDefinitions,
  retrievePropertyDefinition,
  updatePropertyDefinition,

  createProject,
  listProjects,
  retrieveProject,
  updateProject,
  deleteProject,
  resetProjectToken,

  listIngestionWarnings,

  listKeys,
  createKey,
  retrieveCurrentKey,
  retrieveKey,
  updateKey,
  rollKey,
  deleteKey,
  introspectToken,

  retrieveUser,
  updateUser,

  listOrganizations,
  retrieveOrganization,
  updateOrganization,
  listOauthApplications,

  listMembers,
  updateMember,
  deleteMember,
  retrieveCodeHostLogin,
  retrieveGithubLogin,
  listMemberKeys,

  listInvites,
  createInvite,
  createInvites,
  delegateSetup,
  deleteInvite,
  resendInvite,
  copyInviteLink,
  acceptInvite,
  showInvite,
  joinByInvite,

  listProjectActivities,
  listOrganizationActivities,

  listScoreDefinitions,
  createScoreDefinition,
  validateScoreComposition,
  retrieveScoreDefinition,
  updateScoreDefinition,
  createScoreDefinitionVersion,
  listScoreDefinitionVersions,
  retrieveScoreDefinitionVersion,

  listReviewQueues,
  createReviewQueue,
  retrieveReviewQueue,
  updateReviewQueue,
  deleteReviewQueue,
  claimNextReviewQueueItem,

  listReviewQueueItems,
  createReviewQueueItem,
  createReviewQueueItems,
  retrieveReviewQueueItem,
  updateReviewQueueItem,
  deleteReviewQueueItem,
  claimReviewQueueItem,
  releaseReviewQueueItem,

  listTraceReviews,
  createTraceReview,
  retrieveTraceReview,
  updateTraceReview,
  deleteTraceReview,

  ...errorTrackingRoutes,

  countSurveyResponses,
  retrieveSurveyStats,
  archiveSurveyResponse,
  unarchiveSurveyResponse,
  listArchivedResponses,

  createSummarization,
  checkSummaries,
  createTextRepr,
  showTrace,
  readTrace,
  createTranslation,

  listIntegrations,
  retrieveIntegration,
  deleteIntegration,
  updateEnvironmentMapping,

  listLegalDocuments,
  createLegalDocument,
  retrieveLegalDocument,
  deleteLegalDocument,
  downloadLegalDocument,
  showLegalDocument,
  signLegalDocument,

  getIndex,
  getSchema,
  getReference,
  getReferenceFile,
];
