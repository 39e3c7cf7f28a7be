/** Lists of PostHog below a project that are not offered, and what there is in place of each; `%s` is the project's address. */
const lists: readonly (readonly [names: string, sentence: string])[] = [
  ['events event', 'Events are read with SQL: POST %s/query/.'],
  ['persons person', 'Persons are read with SQL: POST %s/query/.'],
  ['groups', 'Groups are read with SQL: POST %s/query/.'],
  ['sessions', 'Sessions are read with SQL: POST %s/query/.'],
  ['insights insight dashboards', 'A query is saved as an endpoint: POST %s/endpoints/.'],
  ['cohorts actions annotations', 'There is SQL in its place: POST %s/query/.'],
  ['feature_flags experiments', 'Feature flags are not offered.'],
];
const sentenceOf = new Map(
  lists.flatMap(([names, sentence]) => names.split(' ').map((name) => [name, sentence] as const)),
);

/** A sentence about what there is in place of an address that clients of PostHog know, and that Millrace does not have. Pure. */
export function insteadOf(path: string): string | undefined {
  if (/^\/api\/(?:projects|environments)\/?$/.test(path))
    return 'Projects are listed at /api/organizations/@current/projects/.';
  const [, project = '/api/projects/@current', list = ''] =
    /^(?:(\/api\/(?:projects|environments)\/[^/]{1,40})|\/api)\/([a-z_]{1,30})(?:\/|$)/.exec(path) ?? [];
  return sentenceOf.get(list)?.replace('%s', () => project);
}
