import { Integer, Object as ObjectType, String as StringType, Unsafe, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { ErrorTrackingAlertDelivery as Row } from '@millrace/postgres/generated/client.ts';

export type Channel = 'webhook' | 'mail';
type AlertType = 'issue.created' | 'issue.regressed' | 'issues.digest' | 'test';
type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'digested';

/** An issue as it was when it was made or active again; `make_alerts` writes it. */
export interface AlertedIssue {
  id: string;
  name: string | null;
  description: string | null;
  /** ISO 8601. */
  first_seen_at: string;
  /** The frame of the application on top of the stack. Null: none is; undefined: the alert is from before frames were noted. */
  frame?: { function: string | null; file: string | null; line: number | null } | null;
  /** The release of its map; null and undefined as of `frame`. */
  release?: { version: string; project: string } | null;
}

/** The part of an alert that payloads and mails are made of. */
export interface Alert {
  id: string;
  type: AlertType;
  /** A digest names the first ten. */
  issues: readonly AlertedIssue[];
  createdCount: number;
  regressedCount: number;
  createdAt: Date;
}

/** Deliveries are kept so long. */
export const keptMs = 7 * 24 * 3_600_000;

const oneOf = <const Values extends readonly string[]>(values: Values, description: string, example: Values[number]) =>
  Unsafe<Values[number]>({ type: 'string', enum: [...values], description, examples: [example] });

const fields = {
  id: StringType({ format: 'uuid', description: 'The `webhook-id` of all its attempts.' }),
  channel: oneOf(['webhook', 'mail'], 'The way that it takes.', 'webhook'),
  type: oneOf(['issue.created', 'issue.regressed', 'issues.digest', 'test'], 'The news in it.', 'issue.created'),
  status: oneOf(
    ['pending', 'delivered', 'failed', 'digested'],
    '`digested`: another delivery, `digest_id`, tells of its issue.',
    'delivered',
  ),
  issue_id: nullable(StringType({ format: 'uuid', description: 'Null: it is a test, or a digest.' })),
  issue_count: Integer({ description: 'Issues that it tells of.', examples: [1] }),
  digest_id: nullable(StringType({ format: 'uuid' })),
  attempts: Integer({ examples: [1] }),
  response_status: nullable(Integer({ description: "Status of the receiver's last answer.", examples: [204] })),
  error: nullable(StringType({ description: 'Reason why the last attempt failed.', examples: [null] })),
  created_at: StringType({ format: 'date-time' }),
  next_attempt_at: nullable(StringType({ format: 'date-time' })),
  delivered_at: nullable(StringType({ format: 'date-time' })),
};

/** One alert on its way by one channel (contract/orgs-errors 9.2). */
export const AlertDelivery = ObjectType(fields, { title: 'ErrorTrackingAlertDelivery' });

/** The same, inside of the settings. */
export const LastDelivery = nullable(ObjectType(fields));

/** Pure. */
export function renderDelivery(row: Row): Static<typeof AlertDelivery> {
  const { issues, createdCount, regressedCount } = alertOf(row);
  const issueCount = createdCount + regressedCount;
  return {
    id: row.id,
    channel: row.channel as Channel,
    type: row.type as AlertType,
    status: row.status as DeliveryStatus,
    issue_id: row.type === 'issues.digest' ? null : (issues[0]?.id ?? null),
    issue_count: issueCount,
    digest_id: row.digestId,
    attempts: row.attempts,
    response_status: row.responseStatus,
    error: row.error,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    delivered_at: row.deliveredAt?.toISOString() ?? null,
  };
}

/** Pure. */
export function alertOf({ id, type, issues, createdCount, regressedCount, createdAt }: Row): Alert {
  return {
    id,
    type: type as AlertType,
    issues: issues as unknown as AlertedIssue[],
    createdCount,
    regressedCount,
    createdAt,
  };
}
