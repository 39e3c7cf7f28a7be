import { valueKinds, type PropertyOwner } from '@millrace/contracts/property-types.ts';
import type { Database, Queryable } from '../../database.ts';
import {
  createDefinitionStore,
  type PropertyCounts,
  type PropertyName,
  type PropertySeen,
  type Seen,
} from '../definition-store.ts';
import { statementSlices } from '../statement-slices.ts';
import { noCounts } from '../value-kind.ts';
import type { BackfillPart } from './backfill-sql.ts';
import type { FoundNames } from './read-part.ts';

/** Progress of the back-fill in Postgres, so that it can be ended at any time. */
export interface BackfillStore {
  /** Projects that have sent names which are not learned, as far as anybody knows. Begins the run of each. */
  findIncomplete(): Promise<ReadonlySet<number>>;
  isRead(part: BackfillPart): Promise<boolean>;
  /** Adds the names of a part, and keeps its counts. False: another run was faster, or the project is gone. */
  addPart(part: BackfillPart, found: FoundNames): Promise<boolean>;
  /** Adds the counts of the project's parts to its definitions: a type is settled by the values of all of them. */
  finishProject(projectId: number): Promise<void>;
  /** Says that all names of the project are learned, unless the consumer has missed one since the run began. */
  complete(projectId: number): Promise<void>;
}

/** Properties in one transaction, which holds their rows. */
const finishedAtOnce = 1_000;

interface StoredCounts {
  counts: PropertyCounts;
  isSettled: boolean;
}

const kinds = valueKinds.join(', ');

/** Stands beside the parts of a project. It is not read when the consumer has missed a name since the run began. */
const runPeriod = 'run';

const beginStatement = `INSERT INTO definition_backfills AS b (project_id, period)
  SELECT id, '${runPeriod}' FROM projects WHERE definitions_complete_at IS NULL ORDER BY id
  ON CONFLICT (project_id, period) DO UPDATE SET is_read = true
  RETURNING project_id AS id`;

// A name that was missed since the run began may be missing in the part: it is read once more, by the next run. The row of the run is locked,
// so that a consumer that marks the project sees this part.
const partStatement = `WITH run AS (
    SELECT project_id, is_read FROM definition_backfills WHERE project_id = $1 AND period = '${runPeriod}' FOR SHARE
  )
  INSERT INTO definition_backfills AS b (project_id, period, is_read) SELECT project_id, $2, is_read FROM run
  ON CONFLICT (project_id, period) DO UPDATE SET is_read = excluded.is_read WHERE NOT b.is_read
  RETURNING xmax = 0 AS is_new`;

// The row of the run is locked: a consumer that marks the project waits for it, and sees what was set here.
const completeStatement = `WITH run AS (
    UPDATE definition_backfills SET is_read = true WHERE project_id = $1 AND period = '${runPeriod}' AND is_read RETURNING project_id
  )
  UPDATE projects p SET definitions_complete_at = now() FROM run
  WHERE p.id = run.project_id AND p.definitions_complete_at IS NULL`;

const countStatement = `INSERT INTO backfilled_properties AS b (project_id, type, group_type_index, name, first_value_at, ${kinds})
  SELECT project_id, type, group_type_index, name, to_timestamp(first_value_ms / 1000.0), ${kinds}
  FROM jsonb_to_recordset($1::jsonb)
    AS g(project_id integer, type text, group_type_index smallint, name text, first_value_ms bigint, ${valueKinds.map((kind) => `${kind} bigint`).join(', ')})
  ORDER BY project_id, type, group_type_index, name
  ON CONFLICT (project_id, type, group_type_index, name) DO UPDATE SET
    first_value_at = least(b.first_value_at, excluded.first_value_at),
    ${valueKinds.map((kind) => `${kind} = b.${kind} + excluded.${kind}`).join(', ')}`;

const takeStatement = `DELETE FROM backfilled_properties WHERE (project_id, type, group_type_index, name) IN (
    SELECT project_id, type, group_type_index, name FROM backfilled_properties WHERE project_id = $1
    ORDER BY type, group_type_index, name LIMIT $2 FOR UPDATE
  )
  RETURNING type, group_type_index, name, (extract(epoch FROM first_value_at) * 1000)::bigint AS first_value_ms,
    ARRAY[${kinds}]::text[] AS counts`;

interface CountedRow {
  type: PropertyOwner;
  group_type_index: number;
  name: string;
  first_value_ms: string;
  counts: string[];
}

/** Throws what `pg` throws. */
export function createBackfillStore(db: Database): BackfillStore {
  /** In key order, as the consumer writes them: statement by statement, so that neither waits long for the other. */
  async function addNames({ events, properties, pairs }: FoundNames): Promise<StoredCounts[]> {
    const store = createDefinitionStore(db);
    for (const slice of statementSlices([...events.keys()]))
      await store.writeEvents(slice, (event) => events.get(event) as Seen);
    const stored: StoredCounts[] = [];
    for (const slice of statementSlices([...properties])) {
      const seen = new Map(slice.map(([{ property }, times]) => [property, times]));
      const names = slice.map(([{ property }]) => ({ property, counts: noCounts(), reopenings: 0 }));
      const known = await store.writeProperties(names, (property) => seen.get(property) as PropertySeen);
      for (const [counts] of slice) {
        const found = known.get(counts.property);
        if (found !== undefined) stored.push({ counts, isSettled: found.isSettled });
      }
    }
    for (const slice of statementSlices(pairs)) await store.writePairs(slice);
    return stored;
  }

  /** False when there are no more. */
  async function finishSome(projectId: number, one: Queryable): Promise<boolean> {
    const { rows } = await one.query<CountedRow>({
      name: 'take-backfilled-properties',
      text: takeStatement,
      values: [projectId, finishedAtOnce],
    });
    if (rows.length === 0) return false;
    const times = new Map<PropertyName, PropertySeen>();
    const counted = rows.map((row) => {
      const property = { projectId, owner: row.type, groupTypeIndex: row.group_type_index, name: row.name };
      const firstValueMs = Number(row.first_value_ms);
      // The name has been seen at this time: these move none of its times.
      times.set(property, { firstMs: firstValueMs, lastMs: firstValueMs, firstValueMs });
      return { property, counts: row.counts.map(Number), reopenings: 0 };
    });
    await createDefinitionStore(one).writeProperties(counted, (property) => times.get(property) as PropertySeen);
    return true;
  }

  return {
    async findIncomplete() {
      const { rows } = await db.query<{ id: number }>({
        name: 'begin-definition-backfills',
        text: beginStatement,
        values: [],
      });
      return new Set(rows.map(({ id }) => id));
    },
    async isRead({ projectId, period }) {
      const { rows } = await db.query<object>({
        name: 'find-definition-backfill',
        text: 'SELECT 1 FROM definition_backfills WHERE project_id = $1 AND period = $2 AND is_read',
        values: [projectId, period],
      });
      return rows.length > 0;
    },
    async addPart({ projectId, period }, found) {
      const stored = await addNames(found);
      return await db.transaction(async (one) => {
        const { rows } = await one.query<{ is_new: boolean }>({
          name: 'add-definition-backfill',
          text: partStatement,
          values: [projectId, period],
        });
        const [part] = rows;
        if (part === undefined) return false;
        // Values of a part that was read before are counted already: again they only settle types that are open.
        const counted = stored
          .filter(({ counts, isSettled }) => (part.is_new || !isSettled) && counts.counts.some((count) => count > 0))
          .map(({ counts }) => counts);
        for (const slice of statementSlices(counted)) {
          const given = slice.map((counts) => ({
            ...keyOf(counts.property),
            first_value_ms: found.properties.get(counts)?.firstValueMs,
            ...Object.fromEntries(valueKinds.map((kind, index) => [kind, counts.counts[index]])),
          }));
          await one.query({
            name: 'add-backfilled-properties',
            text: countStatement,
            values: [JSON.stringify(given)],
          });
        }
        return true;
      });
    },
    async finishProject(projectId) {
      while (await db.transaction((one) => finishSome(projectId, one)));
    },
    async complete(projectId) {
      await db.query({ name: 'complete-backfilled', text: completeStatement, values: [projectId] });
    },
  };
}

const keyOf = ({ projectId, owner, groupTypeIndex, name }: PropertyName): object => ({
  project_id: projectId,
  type: owner,
  group_type_index: groupTypeIndex,
  name,
});
