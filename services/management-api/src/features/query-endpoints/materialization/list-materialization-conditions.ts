import { Object as ObjectType, String as StringType } from 'typebox';
import { materializationConditions } from '@millrace/query-language/materialization/rules/materialization-conditions.ts';
import { projectRoute } from '../context.ts';

/** Rules by which a person or an agent rewrites a query that cannot be materialized (contract/endpoints 6.8). */
const MaterializationConditions = ObjectType(
  {
    conditions_source: StringType({
      description: 'The rules in the order in which they are tried, each with its code.',
      examples: ['12. variable_in_having: A variable stands in HAVING.'],
    }),
    rewrite_contract: StringType({
      description: 'What must stay the same when a query is rewritten.',
      examples: [
        'Every {variables.<code_name>} of the query stays as it is written: none is added, removed or renamed.',
      ],
    }),
  },
  { title: 'MaterializationConditions' },
);

export const listMaterializationConditions = projectRoute({
  operationId: 'list_materialization_conditions',
  method: 'get',
  path: '/api/projects/:project_id/endpoints/materialization_conditions',
  access: { scope: 'endpoint:read' },
  tag: 'Query endpoints',
  summary: 'Say which queries can be materialized',
  responses: { 200: MaterializationConditions },
  handler: () => materializationConditions(),
});
