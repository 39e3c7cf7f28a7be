import { successStatus, type Route } from '@millrace/http/define-route.ts';
import { referenceFileNames } from '../features/schema/reference-files.ts';
import { makeInvite, makeMailedInvite } from './invite-fixtures.ts';
import { makeIntegration } from './integration-fixtures.ts';
import { makeLegalDocument, makeMailedDocument } from './legal-document-fixtures.ts';
import { makeMember } from './member-fixtures.ts';
import { makeScoreDefinition, makeScoreDefinitionVersion } from './score-definition-fixtures.ts';
import { makeEventDefinition, makePropertyDefinition } from './definition-fixtures.ts';
import type { FieldValues } from './schema-values.ts';
import type { Seed, TestApi } from './test-api.ts';

/** Makes, if it is not there, an object of the seed's project or organization, and returns what names it in a path. */
type Fixture = (api: TestApi, seed: Seed) => Promise<string> | string;

/**
 * Objects that the generated requests need beside the declarations, by path up to a parameter: an object for it.
 * `ownedByNobody`: the values of this parameter belong to nobody, so that there is nothing of another project to ask
 * for; `unknownTo404: false`: any value names something, or is refused by a rule that the feature's own test knows.
 */
export const pathFixtures: Readonly<Record<string, { make: Fixture; ownedByNobody?: true; unknownTo404?: false }>> = {
  '/api/projects/:project_id': {
    // A question before may have deleted it, or made it private.
    async make({ prisma }, { projectId, userId }) {
      const { count } = await prisma.project.updateMany({
        where: { id: projectId, NOT: { deletedAt: null } },
        data: { deletedAt: null },
      });
      if (count > 0) await prisma.user.update({ where: { id: userId }, data: { currentProjectId: projectId } });
      return String(projectId);
    },
  },
  '/project/:project_id': { make: (_api, seed) => String(seed.projectId) },
  '/project/:project_id/endpoints/:name': { make: () => 'any', ownedByNobody: true },
  '/api/organizations/:organization_id': {
    // A question before may have submitted a document: there is only one of each type. It may have mailed the same address, too.
    async make({ prisma }, { organizationId }) {
      await prisma.sentMail.deleteMany({ where: { organizationId } });
      await prisma.legalDocument.deleteMany({ where: { organizationId } });
      return organizationId;
    },
  },
  '/api/organizations/:organization_id/integrations/:id': { make: makeIntegration },
  '/api/organizations/:organization_id/legal_documents/:id': { make: makeLegalDocument },
  '/legal-documents/:token': { make: (api) => makeMailedDocument(api), ownedByNobody: true },
  '/api/organizations/:organization_id/invites/:id': { make: makeInvite },
  '/api/invites/:token': { make: (api, seed) => makeMailedInvite(api, seed.email), ownedByNobody: true },
  '/invites/:token': { make: (api) => makeMailedInvite(api), ownedByNobody: true },
  '/api/organizations/:organization_id/members/:user__uuid': { make: makeMember },
  '/api/users/:user_uuid': { make: (_api, seed) => seed.userUuid },
  '/api/personal_api_keys/:key_id': {
    async make({ prisma, admin }, { email, userId }) {
      const there = await prisma.personalApiKey.findFirst({ where: { userId, label: 'Sample' } });
      return there?.id ?? (await admin.createKey({ email, label: 'Sample', scopes: ['personal_api_key:read'] })).id;
    },
  },
  '/docs/assets/:file': { make: () => referenceFileNames[0] ?? '', ownedByNobody: true },
  '/api/projects/:project_id/insight_variables/:variable_id': {
    async make({ prisma }, { projectId }) {
      const where = { projectId_codeName: { projectId, codeName: 'sample' } };
      const create = { id: crypto.randomUUID(), projectId, name: 'Sample', codeName: 'sample', type: 'String' };
      return (await prisma.insightVariable.upsert({ where, create, update: {} })).id;
    },
  },
  '/api/projects/:project_id/event_definitions/:definition_id': { make: makeEventDefinition },
  '/api/projects/:project_id/property_definitions/:definition_id': { make: makePropertyDefinition },
  '/api/projects/:project_id/llm_analytics/score_definitions/:definition_id': { make: makeScoreDefinition },
  '/api/projects/:project_id/llm_analytics/score_definitions/:definition_id/versions/:version_id': {
    make: makeScoreDefinitionVersion,
  },
  '/api/projects/:project_id/llm_analytics/trace_reviews/:review_id': {
    async make({ prisma }, { projectId }) {
      const there = await prisma.traceReview.findFirst({ where: { projectId, traceId: 'trace-1', deletedAt: null } });
      const data = { id: crypto.randomUUID(), projectId, traceId: 'trace-1' };
      return (there ?? (await prisma.traceReview.create({ data }))).id;
    },
  },
  '/api/projects/:project_id/query/:client_query_id': { make: () => 'any', ownedByNobody: true, unknownTo404: false },
  '/api/projects/:project_id/surveys/:survey_id': { make: () => 's1', ownedByNobody: true, unknownTo404: false },
  '/api/projects/:project_id/surveys/:survey_id/responses/:response_uuid': {
    make: () => crypto.randomUUID(),
    ownedByNobody: true,
    unknownTo404: false,
  },
  '/api/projects/:project_id/endpoints/:name/tokens/:token_id': {
    async make({ prisma }, { projectId }) {
      const endpoint = await prisma.endpoint.findFirstOrThrow({
        where: { projectId, name: `sample-${projectId}`, deletedAt: null },
      });
      const id = crypto.randomUUID();
      return (
        await prisma.endpointToken.create({
          data: { id, endpointId: endpoint.id, label: 'Sample', secureValue: id, maskValue: 'phr_...abcd' },
        })
      ).id;
    },
  },
  '/api/projects/:project_id/endpoints/:name': {
    async make({ prisma, admin }, { projectId, email }) {
      const name = `sample-${projectId}`;
      const there = await prisma.endpoint.findFirst({ where: { projectId, name, deletedAt: null } });
      if (there === null) await admin.createEndpoint({ projectId, email, name, sql: 'SELECT 1 AS one' });
      return name;
    },
  },
};

/** Undoes what a question has set of an organization: it does not decide the answer to the next. */
export async function resetOrganizations({ prisma }: TestApi): Promise<void> {
  const data = { membersCanInvite: true, membersCanSeeOrgMembers: true, enforceVerifiedDomains: false };
  await prisma.organization.updateMany({ data });
}

let made = 0;

/** Fields of good bodies that must be new each time. */
export const fieldValues: FieldValues = {
  'EndpointCreate.name': () => `made${made++}`,
  'InsightVariableCreate.name': () => `Made ${made++}`,
  'InsightVariableCreate.code_name': () => `made_${made++}`,
  'PersonalApiKeyCreate.scopes': () => ['personal_api_key:read'],
  'InviteJoin.first_name': () => 'Ann',
  'TraceReviewCreate.trace_id': () => `made-${made++}`,
  'LegalDocumentSign.signer_name': () => 'Ann',
  'LegalDocumentSign.agreed': () => 'yes',
};

/**
 * Operations that answer 400 to a good request. The query of the generated endpoint can be materialized, so there is nothing to suggest;
 * composite scorers are not offered.
 */
const refused = ['suggest_materialization', 'validate_score_composition'];

/** Expected status of a valid request by a caller with the needed rights. */
export function goodStatus(route: Route): number {
  return refused.includes(route.operationId) ? 400 : successStatus(route);
}

/** Status of a good request with a query parameter that nothing knows. Runs take it for a variable. */
export function statusOfUnknownParameter(route: Route): number {
  return ['run_endpoint', 'run_endpoint_by_get'].includes(route.operationId) ? 400 : goodStatus(route);
}

/** Operations whose refusals of query values name no field, as their contract wants. */
export const withoutQueryAttr: ReadonlySet<string> = new Set(['retrieve_survey_stats', ...refused]);

/** Query parameters that an operation cannot do without, of things that there are. */
export const queryFixtures: Readonly<Record<string, (api: TestApi, seed: Seed) => Promise<Record<string, string>>>> = {
  async retrieve_event_definition_by_name(api, seed) {
    await makeEventDefinition(api, seed);
    return { name: 'signed_up' };
  },
};
