import { promisify } from 'node:util';
import { gunzip, gzip, constants } from 'node:zlib';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { RunPrepared } from '../../../../database/prepared-statements.ts';
import type { SummaryMode } from '../summary.ts';

type Database = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/** The object of a summary. Each part makes another entry (contract/llm-surveys 6.5). */
export interface SummaryKey {
  readonly projectId: number;
  readonly type: 'trace' | 'event';
  readonly id: string;
  readonly mode: SummaryMode;
  /** Name of a model as the request had it; null: none. */
  readonly model: string | null;
}

/** A summary lives for an hour. */
const lifeMs = 3_600_000;
/** A claim that is not renewed lives so long: that of a process that ended. */
export const claimMs = 15_000;
const claimEnd = Prisma.sql`statement_timestamp() + ${claimMs} * interval '1 millisecond'`;

const modelOf = (model: string | null): string => model ?? 'default';

function isKey({ projectId, type, id, mode, model }: SummaryKey): Prisma.Sql {
  return Prisma.sql`project_id = ${projectId} AND entity_type = ${type} AND mode = ${mode} AND model = ${modelOf(model)} AND entity_id = ${id}`;
}

// Both leave the event loop free.
const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** Entry of a key. */
export interface StoredSummary {
  /** The reply, as JSON. Null: there is none that still lives. */
  readonly reply: Uint8Array | null;
  /** True: a request is making a new one. */
  readonly isClaimed: boolean;
}

/** The entry of a key; without its reply when its data may have been read before `madeAfter`. */
export async function readSummary(
  run: RunPrepared,
  key: SummaryKey,
  { now, madeAfter = new Date(0) }: { now: Date; madeAfter?: Date },
): Promise<StoredSummary> {
  const statement = Prisma.sql`
    SELECT CASE WHEN expires_at > ${now} AND computed_at > ${madeAfter} THEN reply_gzip END AS stored,
      claimed_until IS NOT NULL AND claimed_until > statement_timestamp() AS "isClaimed"
    FROM trace_summaries WHERE ${isKey(key)}`;
  const [row] = await run<{ stored: Buffer | null; isClaimed: boolean }>('read_summary', statement);
  const { stored = null, isClaimed = false } = row ?? {};
  return { reply: stored === null ? null : await decompress(stored), isClaimed };
}

/** Claims the making of a summary. False: another request makes it. */
export async function claimSummary(
  database: Database,
  { projectId, type, id, mode, model }: SummaryKey,
  claim: string,
): Promise<boolean> {
  const claimed = await database.$executeRaw`
    INSERT INTO trace_summaries AS kept (project_id, entity_type, entity_id, mode, model, expires_at, claim, claimed_until)
    VALUES (${projectId}, ${type}, ${id}, ${mode}, ${modelOf(model)}, ${claimEnd}, ${claim}::uuid, ${claimEnd})
    ON CONFLICT (project_id, entity_type, mode, model, entity_id) DO UPDATE
    SET claim = EXCLUDED.claim, claimed_until = EXCLUDED.claimed_until
    WHERE kept.claimed_until IS NULL OR kept.claimed_until <= statement_timestamp()`;
  return claimed === 1;
}

/** Prolongs a claim. */
export async function renewClaim(database: Database, key: SummaryKey, claim: string): Promise<void> {
  await database.$executeRaw`
    UPDATE trace_summaries SET claimed_until = ${claimEnd} WHERE ${isKey(key)} AND claim = ${claim}::uuid`;
}

/** Gives a claim back. A summary that is there stays as it is. */
export async function releaseClaim(database: Database, key: SummaryKey, claim: string): Promise<void> {
  await database.$executeRaw`
    UPDATE trace_summaries SET claim = NULL, claimed_until = NULL WHERE ${isKey(key)} AND claim = ${claim}::uuid`;
}

/** Stores the reply of the request that has the claim, whose data were read after `computedAt`; nothing when another has it now. */
export async function storeSummary(
  run: RunPrepared,
  key: SummaryKey,
  { claim, title, reply, computedAt }: { claim: string; title: string; reply: Uint8Array; computedAt: Date },
): Promise<void> {
  const stored = await compress(reply, { level: constants.Z_BEST_SPEED });
  const expiresAt = new Date(computedAt.getTime() + lifeMs);
  const statement = Prisma.sql`
    UPDATE trace_summaries
    SET title = ${title}, body = NULL, reply_gzip = ${stored}, computed_at = ${computedAt}, expires_at = ${expiresAt}
    WHERE ${isKey(key)} AND claim = ${claim}::uuid`;
  await run('store_summary', statement);
}

/** Deletes up to `countMax` summaries that have ended, and claims of requests that failed; returns how many. */
export async function deleteEnded(
  database: Database,
  { now, countMax }: { now: Date; countMax: number },
): Promise<number> {
  return await database.$executeRaw`
    DELETE FROM trace_summaries WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM trace_summaries
      WHERE expires_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
      LIMIT ${countMax} FOR UPDATE SKIP LOCKED))`;
}

/** Titles of the live summaries of traces, by trace id. */
export async function readSummaryTitles(
  database: Database,
  { projectId, mode, model }: Pick<SummaryKey, 'projectId' | 'mode' | 'model'>,
  traceIds: readonly string[],
  now: Date,
): Promise<Map<string, string>> {
  const rows = await database.$queryRaw<{ id: string; title: string }[]>`
    SELECT entity_id AS id, title FROM trace_summaries
    WHERE project_id = ${projectId} AND entity_type = 'trace' AND mode = ${mode} AND model = ${modelOf(model)}
      AND entity_id = ANY(${traceIds}) AND reply_gzip IS NOT NULL AND expires_at > ${now}`;
  return new Map(rows.map(({ id, title }) => [id, title]));
}
