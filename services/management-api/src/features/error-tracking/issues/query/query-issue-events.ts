import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unknown,
  Record,
  Unsafe,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { queryErrors } from '../../../../queries/execute/engine-errors.ts';
import { projectRoute } from '../../../../context.ts';
import { readerOf } from '../../reader-of.ts';
import { raiseNoIssue, readIssue } from '../find-issue.ts';
import { readFingerprints } from '../issue-queries.ts';
import { readIssueEvents } from './count-events.ts';
import { eventConditions } from './event-conditions.ts';
import { eventQuery, FilterGroupField, readEventQuery } from './event-query.ts';
import { eventShower, includable, includedUsually, type Included } from './shown-event.ts';

const Body = ObjectType(
  {
    issueId: StringType({ format: 'uuid', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] }),
    ...eventQuery,
    filterGroup: Optional(FilterGroupField),
    searchQuery: Optional(
      StringType({
        maxLength: 500,
        description: 'A text of exceptions, their sources and functions, or the e-mail of a person.',
        examples: ['undefined'],
      }),
    ),
    orderDirection: Optional(Unsafe<'ASC' | 'DESC'>({ type: 'string', enum: ['ASC', 'DESC'], examples: ['DESC'] })),
    limit: Optional(Integer({ minimum: 1, maximum: 20, description: 'Default: 1.', examples: [1] })),
    offset: Optional(Integer({ minimum: 0, maximum: 10_000, examples: [0] })),
    include: Optional(
      ArrayType(Unsafe<Included>({ type: 'string', enum: [...includable], examples: ['stacktrace'] }), {
        maxItems: 20,
        description: `Default: ${includedUsually.join(', ')}.`,
      }),
    ),
    onlyAppFrames: Optional(Boolean({ description: 'Only frames in the application; default true.' })),
  },
  { title: 'ErrorTrackingIssueEventsQuery' },
);

export const queryIssueEvents = projectRoute({
  operationId: 'query_error_tracking_issue_events',
  method: 'post',
  path: '/api/projects/:project_id/error_tracking/query/issue_events',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Show events of an issue',
  description:
    'A stack has the 50 frames that are closest to the error; one that was shown before on the page is `{"same_as_event", "same_as_exception"}`. A page ends after 4 MiB of events, and `nextOffset` says where the next begins.',
  attrsEndAtLists: true,
  body: Body,
  responses: {
    200: ObjectType(
      {
        results: ArrayType(
          ObjectType({
            uuid: StringType({ format: 'uuid' }),
            timestamp: StringType({ format: 'date-time' }),
            properties: Record(StringType(), Unknown()),
          }),
        ),
        hasMore: Boolean(),
        limit: Integer(),
        offset: Integer(),
        nextOffset: nullable(Integer()),
      },
      { title: 'ErrorTrackingIssueEventsQueryResult' },
    ),
  },
  errors: queryErrors,
  async handler({ auth, context, body, signal }) {
    const { prisma, tenantEngine, clock } = context;
    const { limit = 1, offset = 0, include = includedUsually, onlyAppFrames = true } = body;
    const issue = (await readIssue(prisma, auth.project.id, body.issueId)) ?? raiseNoIssue(body.issueId);
    const now = { nowMs: clock.nowMs(), timeZone: auth.project.timezone };
    const reading = {
      tenantEngine,
      reader: readerOf(auth, signal),
      events: await readEventQuery(prisma, auth.project.id, body, now),
      conditions: eventConditions({ search: body.searchQuery }),
    };
    const fingerprints = await readFingerprints(prisma, auth.project.id, [issue.id]);
    const page = { ascending: body.orderDirection === 'ASC', limit, offset };
    const { events, isWhole } = await readIssueEvents(reading, fingerprints, page);
    const results = events.map(eventShower(new Set(include), onlyAppFrames)) as {
      uuid: string;
      timestamp: string;
      properties: Record<string, unknown>;
    }[];
    return { results, hasMore: !isWhole, limit, offset, nextOffset: isWhole ? null : offset + events.length };
  },
});
