import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unsafe,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { readMoment } from '@millrace/query-language/filters/relative-time.ts';
import { queryErrors } from '../../../../queries/execute/engine-errors.ts';
import { projectRoute } from '../../../../context.ts';
import { readerOf } from '../../reader-of.ts';
import { AssigneeOrNull, Issue, renderIssue } from '../issue.ts';
import { countByIssue, rankFingerprints, volumesByIssue, type Reading } from './count-events.ts';
import { eventConditions } from './event-conditions.ts';
import { eventQuery, FilterGroupField, readEventQuery, understood } from './event-query.ts';
import { asFingerprints, ofMergedIssues, rankIssues, readMetIssues, type MetFingerprint } from './rank-issues.ts';

/** Fingerprints of the window that are looked at. */
const fingerprintsMax = 10_000;
const previewMax = 200;

const oneOf = <const Name extends string>(names: readonly Name[], usual: Name) =>
  Unsafe<Name>({ type: 'string', enum: [...names], description: `Default: \`${usual}\`.`, examples: [usual] });
const text = (maxLength: number, description: string, example: string) =>
  Optional(StringType({ maxLength, description, examples: [example] }));
const oneOrMore = (description: string, example: string) =>
  Optional(
    Unsafe<string | string[]>({
      anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }],
      description,
      examples: [example],
    }),
  );

const Body = ObjectType(
  {
    ...eventQuery,
    filterGroup: Optional(FilterGroupField),
    status: Optional(
      oneOf(['active', 'resolved', 'suppressed', 'all', 'archived', 'pending_release'] as const, 'active'),
    ),
    assignee: Optional(AssigneeOrNull),
    firstSeenAfter: text(100, 'Issues that were first met after this time, as `date_from`.', '-24h'),
    searchQuery: text(
      500,
      'A text of exceptions, their sources and functions, or the e-mail of a person.',
      'undefined',
    ),
    library: oneOrMore('`$lib` of the events.', 'posthog-js'),
    release: text(500, 'Hash, version or git commit of a release.', '1.4'),
    fingerprint: oneOrMore('Exactly these fingerprints.', 'a1b2'),
    user: text(500, 'A text of distinct id, e-mail or name of a person.', 'ann@example.com'),
    personId: text(100, 'UUID of a person.', '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'),
    url: text(1_000, 'A text of `$current_url`.', '/checkout'),
    filePath: text(1_000, 'A text of a source.', 'cart.ts'),
    orderBy: Optional(
      oneOf(['last_seen', 'first_seen', 'occurrences', 'users', 'sessions', 'severity'] as const, 'occurrences'),
    ),
    orderDirection: Optional(oneOf(['ASC', 'DESC'] as const, 'DESC')),
    limit: Optional(Integer({ minimum: 1, maximum: 100, description: 'Default: 10.', examples: [10] })),
    offset: Optional(Integer({ minimum: 0, maximum: 10_000, examples: [0] })),
    volumeResolution: Optional(
      Integer({ minimum: 0, maximum: 200, description: 'Buckets of `volume`; default 0.', examples: [7] }),
    ),
  },
  { title: 'ErrorTrackingIssuesQuery' },
);

const Row = ObjectType(
  {
    ...Issue.properties,
    last_seen: StringType({ format: 'date-time' }),
    occurrences: Integer(),
    users: Integer(),
    sessions: Integer(),
    volume: Optional(ArrayType(Integer())),
  },
  { title: 'ErrorTrackingQueriedIssue' },
);

export const queryIssues = projectRoute({
  operationId: 'query_error_tracking_issues',
  method: 'post',
  path: '/api/projects/:project_id/error_tracking/query/issues',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'List the issues that were met in a time, with their counts',
  description:
    'Of the 10000 fingerprints that come first. `first_seen` and `severity` order these. Descriptions are cut at 200 characters.',
  body: Body,
  responses: {
    200: ObjectType(
      {
        results: ArrayType(Row),
        hasMore: Boolean(),
        limit: Integer(),
        offset: Integer(),
        nextOffset: nullable(Integer()),
      },
      { title: 'ErrorTrackingIssuesQueryResult' },
    ),
  },
  errors: queryErrors,
  async handler({ auth, context, body, signal }) {
    const { prisma, tenantEngine, clock } = context;
    const projectId = auth.project.id;
    const { limit = 10, offset = 0, orderBy = 'occurrences', orderDirection = 'DESC', volumeResolution = 0 } = body;
    const now = { nowMs: clock.nowMs(), timeZone: auth.project.timezone };
    const after =
      body.firstSeenAfter === undefined
        ? null
        : understood('firstSeenAfter', () => readMoment(body.firstSeenAfter ?? '', now, 'firstSeenAfter')).last;
    const reading: Reading = {
      tenantEngine,
      reader: readerOf(auth, signal),
      events: await readEventQuery(prisma, projectId, body, now),
      conditions: eventConditions({ ...body, search: body.searchQuery }),
    };
    const descending = orderDirection === 'DESC';
    const by = orderBy === 'first_seen' || orderBy === 'severity' ? 'last_seen' : orderBy;
    const ranked = await rankFingerprints(reading, { by, descending: descending || by !== orderBy }, fingerprintsMax);
    const { status = 'active', assignee } = body;
    const met = await readMetIssues(prisma, projectId, [...ranked.keys()], { status, assignee, after });
    const all = rankIssues(met, ranked, { by: orderBy, descending }, await countMerged(reading, met, orderBy));
    const page = all.slice(offset, offset + limit);
    const onPage = new Set(page);
    const fingerprints = asFingerprints(met.filter(({ issue }) => onPage.has(issue.id)));
    const rows = await prisma.errorTrackingIssue.findMany({ where: { id: { in: page }, projectId } });
    const [counts, volumeOf] = await Promise.all([
      countByIssue(reading, fingerprints),
      volumesByIssue(reading, fingerprints, volumeResolution),
    ]);
    const hasMore = all.length > offset + limit;
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const results = page.flatMap((id) => {
      const [row, counted] = [rowOf.get(id), counts.get(id)];
      // Merged, or its events are gone, since they were ranked.
      if (row === undefined || counted === undefined) return [];
      const { lastSeen, ...others } = counted;
      const shown = { ...renderIssue(row), description: row.description?.slice(0, previewMax) ?? null };
      const volume = volumeResolution === 0 ? {} : { volume: volumeOf(row.id) };
      return [{ ...shown, last_seen: lastSeen, ...others, ...volume }];
    });
    return { results, hasMore, limit, offset, nextOffset: hasMore ? offset + limit : null };
  },
});

/** Persons or sessions of issues that several fingerprints lead to: one who met two of them counts once. */
async function countMerged(
  reading: Reading,
  met: readonly MetFingerprint[],
  by: string,
): Promise<ReadonlyMap<string, number>> {
  if (by !== 'users' && by !== 'sessions') return new Map();
  const counts = await countByIssue(reading, ofMergedIssues(met));
  return new Map([...counts].map(([id, counted]) => [id, counted[by]]));
}
