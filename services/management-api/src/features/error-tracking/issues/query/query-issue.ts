import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  Record as RecordType,
  String as StringType,
  Unknown,
  Unsafe,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { queryErrors } from '../../../../queries/execute/engine-errors.ts';
import { momentAt, msOf } from '../../../../queries/insights/dates/moments.ts';
import { projectRoute } from '../../../../context.ts';
import { dayMs } from '../../recent-days.ts';
import { readerOf } from '../../reader-of.ts';
import { raiseNoIssue, readIssue } from '../find-issue.ts';
import { Issue, renderIssue } from '../issue.ts';
import { readFingerprints, type IssueFingerprint } from '../issue-queries.ts';
import {
  countByIssue,
  readIssueEvents,
  topValues,
  volumesByIssue,
  type Reading,
  type TopColumn,
} from './count-events.ts';
import { eventQuery, readEventQuery } from './event-query.ts';
import { releaseOf, topFrameOf } from './shown-event.ts';
import { trendOf } from './trend.ts';

const bucketsUsually = 12;
const breakdownDaysMax = 30;
/** The first time of ClickHouse, and of events. */
const earliestMs = Date.UTC(1900, 0, 1);

const Anything = RecordType(StringType(), Unknown());
const anythingOrNull = Unsafe<Record<string, unknown> | null>({ anyOf: [Anything, { type: 'null' }] });

const Body = ObjectType(
  {
    issueId: StringType({ format: 'uuid', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] }),
    ...eventQuery,
    includeSparkline: Optional(Boolean({ description: 'Default false.' })),
    volumeResolution: Optional(
      Integer({ minimum: 0, maximum: 200, description: 'Buckets of `sparkline`; default 12 with it.', examples: [7] }),
    ),
    includeBreakdown: Optional(Boolean({ description: 'Default false.' })),
  },
  { title: 'ErrorTrackingIssueQuery' },
);

const Result = ObjectType(
  {
    ...Issue.properties,
    last_seen: nullable(StringType({ format: 'date-time' })),
    occurrences: Integer(),
    users: Integer(),
    sessions: Integer(),
    trend: Optional(
      ObjectType({
        direction: StringType({ examples: ['stable'] }),
        current_occurrences: Integer(),
        previous_occurrences: Integer(),
      }),
    ),
    sparkline: Optional(ArrayType(Integer())),
    top_in_app_frame: anythingOrNull,
    first_release: Optional(Anything),
    latest_release: Optional(Anything),
    breakdown: Optional(Anything),
    summary_status: StringType({ examples: ['unavailable'] }),
  },
  { title: 'ErrorTrackingIssueQueryResult' },
);

export const queryIssue = projectRoute({
  operationId: 'query_error_tracking_issue',
  method: 'post',
  path: '/api/projects/:project_id/error_tracking/query/issue',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Show an issue with its counts in a time, its trend, top frame and releases',
  description:
    'The trend compares the second half of the time with the first: 25% more or less is a change. A breakdown covers 30 days at most.',
  body: Body,
  responses: { 200: Result },
  errors: queryErrors,
  async handler({ auth, context, body, signal }) {
    const { prisma, tenantEngine, clock } = context;
    const issue = (await readIssue(prisma, auth.project.id, body.issueId)) ?? raiseNoIssue(body.issueId);
    const now = { nowMs: clock.nowMs(), timeZone: auth.project.timezone };
    const events = await readEventQuery(prisma, auth.project.id, body, now);
    const reading: Reading = { tenantEngine, reader: readerOf(auth, signal), events, conditions: [] };
    const fingerprints = await readFingerprints(prisma, auth.project.id, [issue.id]);
    // The first event, whatever the time that is asked for.
    const fromMs = Math.max(earliestMs, issue.firstSeenAt.getTime() - dayMs);
    const everything = { from: momentAt(fromMs), to: momentAt(now.nowMs) };
    const ofFirst = { ...reading, events: { window: everything, conditions: { all: true, members: [] } } };
    const one = { limit: 1, offset: 0 };
    const buckets =
      body.includeSparkline === true ? body.volumeResolution || bucketsUsually : (body.volumeResolution ?? 0);
    const [counts, halves, volumes, ofLast, ofEarliest] = await Promise.all([
      countByIssue(reading, fingerprints),
      volumesByIssue(reading, fingerprints, 2),
      volumesByIssue(reading, fingerprints, buckets),
      readIssueEvents(reading, fingerprints, { ...one, ascending: false }),
      readIssueEvents(ofFirst, fingerprints, { ...one, ascending: true }),
    ]);
    const [[latest], [first]] = [ofLast.events, ofEarliest.events];
    const counted = counts.get(issue.id);
    const trend = trendOf(halves(issue.id), issue.firstSeenAt.getTime(), events.window);
    const latestRelease = latest === undefined ? null : releaseOf(latest);
    const firstRelease = first === undefined ? null : releaseOf(first);
    return {
      ...renderIssue(issue),
      last_seen: counted?.lastSeen ?? null,
      occurrences: counted?.occurrences ?? 0,
      users: counted?.users ?? 0,
      sessions: counted?.sessions ?? 0,
      ...(trend !== null && { trend }),
      ...(buckets > 0 && { sparkline: volumes(issue.id) }),
      top_in_app_frame: latest === undefined ? null : topFrameOf(latest),
      ...(firstRelease !== null && { first_release: firstRelease }),
      ...(latestRelease !== null && { latest_release: latestRelease }),
      ...(body.includeBreakdown === true && { breakdown: await breakdownOf(reading, fingerprints) }),
      summary_status: 'unavailable',
    };
  },
});

const dimensions: Readonly<Record<string, TopColumn>> = {
  paths: '$pathname',
  screens: '$screen_name',
  browsers: '$browser',
  os: '$os',
  libraries: '$lib',
  library_versions: '$lib_version',
  app_versions: '$app_version',
};

/** Dimensions without a value are left out. One query after the other: a project has few slots. */
async function breakdownOf(
  reading: Reading,
  fingerprints: readonly IssueFingerprint[],
): Promise<Record<string, unknown>> {
  const { from, to } = reading.events.window;
  const earliest = momentAt(msOf(to) - breakdownDaysMax * dayMs);
  const isLimited = from < earliest;
  const window = { from: isLimited ? earliest : from, to };
  const limited = { ...reading, events: { ...reading.events, window } };
  const found: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(dimensions)) {
    const values = await topValues(limited, fingerprints, column, 10);
    if (values.length > 0) found[name] = values;
  }
  if (found['paths'] === undefined) {
    const urls = await topValues(limited, fingerprints, '$current_url', 10);
    if (urls.length > 0) found['urls'] = urls;
  }
  const sessions = await topValues(limited, fingerprints, '$session_id', 5);
  return { ...found, sample_session_ids: sessions.map(({ value }) => value), range_limited: isLimited };
}
