import type { DeclaredTable } from './declare-table.ts';
import { events } from './events.ts';
import { groups } from './groups.ts';
import { ingestionWarnings } from './ingestion-warnings.ts';
import { lateEvents } from './late-events.ts';
import { logEntries } from './log-entries.ts';
import { mirroredTables } from './mirrored-tables.ts';
import { personContents } from './person-contents.ts';
import { personDistinctIds } from './person-distinct-ids.ts';
import { personFolds } from './person-folds.ts';
import { personOverrides } from './person-overrides.ts';
import { persons } from './persons.ts';
import { queryLog } from './query-log.ts';

/** Every table of the database `analytics`; its migrations' own history is none of ours. */
export const allTables: readonly DeclaredTable[] = [
  events,
  persons,
  personDistinctIds,
  personOverrides,
  personContents,
  personFolds,
  groups,
  ingestionWarnings,
  lateEvents,
  queryLog,
  logEntries,
  ...mirroredTables,
];
