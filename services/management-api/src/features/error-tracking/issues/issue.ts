import {
  Array as ArrayType,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import { issueSeverities, issueStatuses } from '@millrace/contracts/issues.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { ErrorTrackingIssue as Row } from '@millrace/postgres/generated/client.ts';
import type { IssueCounts } from './issue-counts.ts';

export const issuesPath = '/api/projects/:project_id/error_tracking/issues';

type Status = (typeof issueStatuses)[number];
type Severity = (typeof issueSeverities)[number];

export const IssueStatus = Unsafe<Status>({
  type: 'string',
  enum: [...issueStatuses],
  description: 'A `resolved` issue that is seen again is `active` again; events of a `suppressed` one are not stored.',
  examples: ['resolved'],
});
const IssueSeverity = Unsafe<Severity | null>({
  type: ['string', 'null'],
  enum: [...issueSeverities, null],
  examples: ['high'],
});

const userOrRole = {
  type: 'object',
  properties: {
    id: { anyOf: [{ type: 'integer' }, { type: 'string' }], description: 'Id of the user, or UUID of the role.' },
    type: { type: 'string', enum: ['user', 'role'] },
  },
  required: ['id', 'type'],
} as const;

/** Somebody who may be responsible. */
export interface Assignee {
  id: number | string;
  type: 'user' | 'role';
}

export const AssigneeOrNull = Unsafe<Assignee | null>({
  anyOf: [userOrRole, { type: 'null' }],
  description: 'A user who is a member of the organization, or a role; null: nobody.',
  examples: [null],
});

const fields = {
  id: StringType({ format: 'uuid' }),
  name: nullable(
    StringType({ description: 'Type of the first exception, until it is named.', examples: ['TypeError'] }),
  ),
  description: nullable(StringType({ description: 'Its message.', examples: ['x is undefined'] })),
  status: IssueStatus,
  severity: IssueSeverity,
  assignee: AssigneeOrNull,
  first_seen: StringType({ format: 'date-time' }),
  created_at: StringType({ format: 'date-time' }),
  updated_at: StringType({ format: 'date-time' }),
};

/** Exceptions that a project handles as one (contract/orgs-errors 8). */
export const Issue = ObjectType(fields, { title: 'ErrorTrackingIssue' });

const counts = {
  last_seen: nullable(StringType({ format: 'date-time', description: 'Within these 14 days.' })),
  occurrences: Integer({ description: 'Events of these 14 days.', examples: [12] }),
  users: Integer({ description: 'Persons who met it.', examples: [3] }),
  sessions: Integer({ examples: [4] }),
  sparkline: ArrayType(Integer(), { description: 'Events by day of UTC, today the last.', examples: [[0, 12]] }),
};

/** The same with what was stored of it. */
export const CountedIssue = ObjectType({ ...fields, ...counts }, { title: 'ErrorTrackingCountedIssue' });

/** The same with its fingerprints. */
export const IssueDetails = ObjectType(
  {
    ...fields,
    ...counts,
    fingerprints: ArrayType(
      ObjectType({
        fingerprint: StringType({ examples: ['a1b2'] }),
        name: nullable(StringType({ examples: ['TypeError'] })),
        first_seen: StringType({ format: 'date-time' }),
      }),
      { description: 'The first 1000 by first sight.' },
    ),
  },
  { title: 'ErrorTrackingIssueDetails' },
);

/** Body of PATCH: what is left out stays. */
export const IssueChange = ObjectType(
  {
    status: Optional(IssueStatus),
    severity: Optional(IssueSeverity),
    name: Optional(nullable(StringType({ maxLength: 400, examples: ['Checkout fails'] }))),
    description: Optional(nullable(StringType({ maxLength: 10_000, examples: ['Since the last release.'] }))),
  },
  { title: 'ErrorTrackingIssueUpdate' },
);

/** Pure. */
export function renderIssue(row: Row): Static<typeof Issue> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status as Status,
    severity: row.severity as Severity | null,
    assignee: assigneeOf(row),
    first_seen: row.firstSeenAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Pure. */
function assigneeOf({ assigneeUserId: user, assigneeRoleId: role }: Row): Assignee | null {
  if (user !== null) return { id: user, type: 'user' };
  return role === null ? null : { id: role, type: 'role' };
}

/** Pure. */
export function renderCounts({ lastSeen, occurrences, users, sessions, sparkline }: IssueCounts) {
  return { last_seen: lastSeen, occurrences, users, sessions, sparkline };
}

/** The part of an issue that the activity log keeps. Pure. */
export function loggedIssue(row: Row): Record<string, unknown> {
  const { name, description, status, severity } = row;
  return { name, description, status, severity, assignee: assigneeOf(row) };
}
