import type { Database } from '../../database.ts';
import type { QueryClickhouse } from '../../duplicates/stored-events.ts';
import { eventParts, stateParts, type BackfillPart } from './backfill-sql.ts';
import { createBackfillStore } from './backfill-store.ts';
import { readPart } from './read-part.ts';

/** Parts that were read so far, of all that there are. */
interface BackfillProgress {
  done: number;
  parts: number;
  part: BackfillPart;
}

/** Result of a back-fill: parts that this run has read, and parts that an earlier run had. */
export interface BackfillReport {
  learned: number;
  skipped: number;
}

export interface BackfillOptions {
  query: QueryClickhouse;
  db: Database;
  /** Called after each part. */
  onProgress: (progress: BackfillProgress) => void;
}

/**
 * Learns the names and types of stored events, month by month, and of persons and groups. Names are exact, types are of about a million
 * rows a part. A part is read once. Its names are definitions at once; its counts are when all parts of the project are read, since a type
 * is that of all values. The run can be ended at any time and started again; one that reads to the end makes the names of all projects that
 * it found complete. Projects that are complete are left out: the consumer has counted all that they have. Throws what the engines throw.
 */
export async function backfillDefinitions({ query, db, onProgress }: BackfillOptions): Promise<BackfillReport> {
  const store = createBackfillStore(db);
  const projects = await store.findIncomplete();
  const parts: BackfillPart[] = [];
  for (const found of [eventParts, stateParts('persons'), stateParts('groups')])
    parts.push(...(await query<BackfillPart>(found)).filter(({ projectId }) => projects.has(projectId)));
  const report = { learned: 0, skipped: 0 };
  for (const projectId of new Set(parts.map((part) => part.projectId))) {
    for (const part of parts.filter((one) => one.projectId === projectId)) {
      if (await store.isRead(part)) report.skipped++;
      else if (await store.addPart(part, await readPart(part, query))) report.learned++;
      onProgress({ done: report.learned + report.skipped, parts: parts.length, part });
    }
    await store.finishProject(projectId);
  }
  await store.complete(projects);
  return report;
}
