/** Topics of the change feed. Triggers in Postgres write the changes; a test compares their topics with these. */
export const changeTopics = [
  'project',
  'quota',
  'restriction',
  'personal_api_key',
  'user',
  'membership',
  'organization',
  'endpoint',
  'endpoint_token',
  'property_type',
  'query_cancelled',
  'symbol_set',
  'release',
  'suppression_rule',
  'issue',
] as const;

export type ChangeTopic = (typeof changeTopics)[number];
