import { String as StringType } from 'typebox';

const sql =
  "SELECT properties.team.size AS size, count() AS signups FROM events WHERE event = 'signed_up' AND properties.plan = {variables.plan} GROUP BY size ORDER BY size";

const plan = { variableId: 'plan', code_name: 'plan', value: 'free' };

/** The endpoint of all examples of the reference: the example of create makes it, those of the others are about it. */
export const endpointExample = {
  name: 'team-sizes',
  query: { kind: 'HogQLQuery', query: sql, variables: { plan } },
  /** The query as it is stored: a variable without a type is a text. */
  storedQuery: { kind: 'HogQLQuery', query: sql, variables: { plan: { ...plan, type: 'String' } } },
  path: '/api/projects/1/endpoints/team-sizes/run',
} as const;

/** Parameters of paths below an endpoint. */
export const endpointParams = {
  name: StringType({ description: 'Name of the endpoint.', examples: [endpointExample.name] }),
};
