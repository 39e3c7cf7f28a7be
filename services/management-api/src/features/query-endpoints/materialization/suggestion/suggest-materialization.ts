import { Enum, Integer, Object as ObjectType, Optional, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { materializationConditions } from '@millrace/query-language/materialization/rules/materialization-conditions.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { requireAiConsent } from '../../../../language-model/ai-consent.ts';
import { LanguageModelError } from '../../../../language-model/language-model.ts';
import { modelErrorReply } from '../../../../language-model/model-error-reply.ts';
import type { CheckedQuery } from '../../../../queries/compile/check-query.ts';
import { readDeclarations } from '../../../../queries/definition/variables.ts';
import { projectRoute, type Context } from '../../context.ts';
import { endpointParams } from '../../endpoint-example.ts';
import { versionNumber } from '../../endpoint.ts';
import { findEndpoint, findVersion } from '../../store/find-endpoint.ts';
import { createSuggestionChecks } from './check-suggestion.ts';
import { suggestQuery, type Suggestion } from './suggest-query.ts';

const text = (description: string) => nullable(StringType({ description }));

/** A query that gives the same rows and can be materialized, or why there is none (contract/endpoints 6.9). */
const MaterializationSuggestion = ObjectType(
  {
    suggestion_status: Enum(['ok', 'cannot_fix', 'invalid', 'model_error']),
    suggested_query: text('The query that passed the checks; with `invalid` the last one, which did not.'),
    explanation: text('What was changed.'),
    attempts: Integer({ description: 'Calls of the language model; 0: fixed rules were enough.', examples: [0] }),
    error: text('The last problem, with `invalid` and `model_error`.'),
    original_reason: StringType({
      description: 'The reason why the query cannot be materialized.',
      examples: ['The variables of this query are not supported: {variables.plan} stands in HAVING'],
    }),
  },
  { title: 'MaterializationSuggestion' },
);

export const suggestMaterialization = projectRoute({
  operationId: 'suggest_materialization',
  method: 'post',
  path: '/api/projects/:project_id/endpoints/:name/materialization_suggestion',
  params: endpointParams,
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Suggest an equivalent query that can be materialized; nothing is saved',
  body: ObjectType({ version: Optional(nullable(versionNumber())) }, { title: 'MaterializationSuggestionRequest' }),
  responses: { 200: MaterializationSuggestion },
  errors: ['language_model_failed', 'language_model_unavailable'],
  find: findEndpoint,
  async handler({ context, auth: { caller, project }, found, body, signal }) {
    const { organizationId } = project;
    const { isAiDataProcessingApproved } = await context.prisma.organization.findUniqueOrThrow({
      where: { id: organizationId },
      select: { isAiDataProcessingApproved: true },
    });
    requireAiConsent(isAiDataProcessingApproved, context.languageModel);
    const version = await findVersion(context, found, body.version ?? undefined);
    const query = version.query as CheckedQuery;
    if (query.kind !== 'HogQLQuery')
      throw new AppError('invalid_input', {
        bare: true,
        detail: `Only SQL can be rewritten, and this is a ${String(query['kind'])}.`,
      });
    const reason = await context.materializability.reasonOfVersion(version, organizationId);
    if (reason === null)
      throw new AppError('invalid_input', { bare: true, detail: 'This query can be materialized as it is.' });
    const task = {
      sql: query.query,
      variables: readDeclarations(query.variables),
      reason,
      rules: materializationConditions(),
    };
    return await inTurn(context, organizationId, async () =>
      suggestQuery(task, {
        rewrite: async () =>
          (await context.queryCompiler.rewrite(query, version.propertyTypes as KeptTypes, organizationId)) ?? undefined,
        validate: await createSuggestionChecks(context, project, query),
        withModel: (rounds) => context.languageModel.task({ projectId: project.id, userId: caller.userId }, rounds),
        nowMs: () => context.clock.nowMs(),
        signal,
      }),
    );
  },
});

/** Makes one suggestion of an organization at a time. @throws {AppError} 429 while another is made; 502 or 503 for the model's errors */
async function inTurn(
  { suggesting }: Pick<Context, 'suggesting'>,
  organizationId: string,
  suggest: () => Promise<Suggestion>,
): Promise<Suggestion> {
  if (suggesting.has(organizationId))
    throw new AppError('throttled', {
      detail: 'A suggestion for this organization is being made. Ask again when it is done.',
      retryAfterS: 5,
    });
  suggesting.add(organizationId);
  try {
    return await suggest();
  } catch (error) {
    throw error instanceof LanguageModelError ? modelErrorReply(error) : error;
  } finally {
    suggesting.delete(organizationId);
  }
}
