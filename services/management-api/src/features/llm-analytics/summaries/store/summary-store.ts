import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { SummaryMode } from '../summary.ts';

type Database = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/** What a summary is of. Each part makes another entry (contract/llm-surveys 6.5). */
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
/** Rows that are ended are taken away so many at a time, with each summary that is stored. */
const sweptMax = 50;

const modelOf = (model: string | null): string => model ?? 'default';

function isKey({ projectId, type, id, mode, model }: SummaryKey): Prisma.Sql {
  return Prisma.sql`project_id = ${projectId} AND entity_type = ${type} AND mode = ${mode} AND model = ${modelOf(model)} AND entity_id = ${id}`;
}

/** The stored reply, as JSON text, that was made after a time; null: there is none that still lives. */
export async function readSummaryText(
  database: Database,
  key: SummaryKey,
  { now, madeAfter = new Date(0) }: { now: Date; madeAfter?: Date },
): Promise<string | null> {
  const rows = await database.$queryRaw<{ body: string }[]>`
    SELECT body FROM trace_summaries
    WHERE ${isKey(key)} AND body IS NOT NULL AND expires_at > ${now} AND computed_at > ${madeAfter}`;
  return rows[0]?.body ?? null;
}

/** Claims the making of a summary until a time. False: another request makes it. */
export async function claimSummary(
  database: Database,
  { projectId, type, id, mode, model }: SummaryKey,
  { claim, now, until }: { claim: string; now: Date; until: Date },
): Promise<boolean> {
  const claimed = await database.$executeRaw`
    INSERT INTO trace_summaries AS kept (project_id, entity_type, entity_id, mode, model, expires_at, claim, claimed_until)
    VALUES (${projectId}, ${type}, ${id}, ${mode}, ${modelOf(model)}, ${until}, ${claim}::uuid, ${until})
    ON CONFLICT (project_id, entity_type, mode, model, entity_id) DO UPDATE
    SET claim = EXCLUDED.claim, claimed_until = EXCLUDED.claimed_until, 
        expires_at = CASE WHEN kept.body IS NULL OR kept.expires_at <= ${now} THEN EXCLUDED.expires_at ELSE kept.expires_at END,
        body = CASE WHEN kept.expires_at > ${now} THEN kept.body END
    WHERE kept.claimed_until IS NULL OR kept.claimed_until <= ${now}`;
  return claimed === 1;
}

/** Stores the reply of the request that holds the claim, and takes away some rows that are ended. */
export async function storeSummary(
  database: Database,
  key: SummaryKey,
  { claim, title, body, now }: { claim: string; title: string; body: string; now: Date },
): Promise<void> {
  const ends = new Date(now.getTime() + lifeMs);
  await database.$executeRaw`
    UPDATE trace_summaries
    SET title = ${title}, body = ${body}, computed_at = ${now}, expires_at = ${ends}, claim = NULL, claimed_until = NULL
    WHERE ${isKey(key)} AND claim = ${claim}::uuid`;
  await database.$executeRaw`
    DELETE FROM trace_summaries WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM trace_summaries
      WHERE expires_at <= ${now} AND (claimed_until IS NULL OR claimed_until <= ${now})
      LIMIT ${sweptMax} FOR UPDATE SKIP LOCKED))`;
}

/** Gives a claim back: the request failed. A summary that was there before stays as it was. */
export async function releaseSummary(database: Database, key: SummaryKey, claim: string): Promise<void> {
  await database.$executeRaw`DELETE FROM trace_summaries WHERE ${isKey(key)} AND claim = ${claim}::uuid AND body IS NULL`;
  await database.$executeRaw`
    UPDATE trace_summaries SET claim = NULL, claimed_until = NULL WHERE ${isKey(key)} AND claim = ${claim}::uuid`;
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
      AND entity_id = ANY(${traceIds}) AND body IS NOT NULL AND expires_at > ${now}`;
  return new Map(rows.map(({ id, title }) => [id, title]));
}
