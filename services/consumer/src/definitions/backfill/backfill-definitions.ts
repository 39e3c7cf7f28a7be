import type { Database } from '../../database.ts';
import type { QueryClickhouse } from '../../duplicates/stored-events.ts';
import { eventParts, stateParts, type BackfillPart } from './backfill-sql.ts';
import { createBackfillStore } from './backfill-store.ts';
import { readPart, type FoundNames } from './read-part.ts';

/** Parts that were read so far, of all that there are. */
interface BackfillProgress {
  done: number;
  parts: number;
  part: BackfillPart;
}

/** Result of a back-fill, in parts. */
export interface BackfillReport {
  /** Parts that this run has read. */
  learned: number;
  /** Parts that an earlier run had read. */
  skipped: number;
  /** Parts that could not be read: the next run reads them. */
  failed: number;
}

export interface BackfillOptions {
  query: QueryClickhouse;
  db: Database;
  /** Called after each part. */
  onProgress: (progress: BackfillProgress) => void;
  /** Called for a part that an engine did not read, with the error. The run goes on. */
  onFailed: (part: BackfillPart, error: unknown) => void;
}

/**
 * Learns the names and types of stored events, month by month, and of persons and groups. Names are exact, types are of about a million
 * rows a part. A part is read once. Its names are definitions at once; its counts are when all parts of the project are read, since a type
 * is that of all values. The run can be ended at any time and started again. A project whose parts are all read is complete, unless the
 * consumer has missed one of its names meanwhile. Projects that are complete are left out: the consumer has counted all that they have. Throws
 * what the engines throw, but for a part that cannot be read.
 */
export async function backfillDefinitions({
  query,
  db,
  onProgress,
  onFailed,
}: BackfillOptions): Promise<BackfillReport> {
  const store = createBackfillStore(db);
  // Before the list of parts: what is stored from now on by a consumer that misses its names makes the project incomplete again.
  const projects = await store.findIncomplete();
  const parts: BackfillPart[] = [];
  for (const found of [eventParts, stateParts('persons'), stateParts('groups')])
    parts.push(...(await query<BackfillPart>(found)).filter(({ projectId }) => projects.has(projectId)));
  const report = { learned: 0, skipped: 0, failed: 0 };
  let done = 0;
  const byProject = Map.groupBy(parts, (part) => part.projectId);
  for (const projectId of projects) {
    const failedBefore = report.failed;
    for (const part of byProject.get(projectId) ?? []) {
      report[await readOnce(part)]++;
      onProgress({ done: ++done, parts: parts.length, part });
    }
    if (report.failed > failedBefore) continue;
    await store.finishProject(projectId);
    await store.complete(projectId);
  }
  return report;

  async function readOnce(part: BackfillPart): Promise<keyof BackfillReport> {
    if (await store.isRead(part)) return 'skipped';
    let found: FoundNames;
    try {
      found = await readPart(part, query);
    } catch (error) {
      onFailed(part, error);
      return 'failed';
    }
    return (await store.addPart(part, found)) ? 'learned' : 'skipped';
  }
}
