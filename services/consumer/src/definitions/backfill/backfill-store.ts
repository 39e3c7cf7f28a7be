import type { PropertyOwner } from '@millrace/contracts/property-types.ts';
import type { Database, Queryable } from '../../database.ts';
import {
  createDefinitionStore,
  type PropertyCounts,
  type PropertyName,
  type PropertySeen,
  type Seen,
} from '../definition-store.ts';
import { noCounts } from '../project-definitions.ts';
import { statementSlices } from '../statement-slices.ts';
import { valueKinds } from '../value-kind.ts';
import type { BackfillPart } from './backfill-sql.ts';
import type { FoundNames } from './read-part.ts';

/** Progress of the back-fill in Postgres, so that it can be ended at any time. */
export interface BackfillStore {
  /** Projects that have sent events before names were learned, as far as anybody knows. */
  findIncomplete(): Promise<ReadonlySet<number>>;
  isRead(part: BackfillPart): Promise<boolean>;
  /** Adds the names of a part, and keeps its counts. False: another run was faster, or the project is gone. */
  addPart(part: BackfillPart, found: FoundNames): Promise<boolean>;
  /** Adds the counts of the project's parts to its definitions: a type is settled by the values of all of them. */
  finishProject(projectId: number): Promise<void>;
  /** Says that all names of these projects are learned. */
  complete(projectIds: ReadonlySet<number>): Promise<void>;
}

/** Properties in one transaction, which holds their rows. */
const finishedAtOnce = 1_000;

const kinds = valueKinds.join(', ');

const partStatement = `INSERT INTO definition_backfills (project_id, period) SELECT id, $2 FROM projects WHERE id = $1
  ON CONFLICT DO NOTHING RETURNING 1`;

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
  async function addNames({ events, properties, pairs }: FoundNames): Promise<PropertyCounts[]> {
    const store = createDefinitionStore(db);
    for (const slice of statementSlices([...events.keys()]))
      await store.writeEvents(slice, (event) => events.get(event) as Seen);
    const stored: PropertyCounts[] = [];
    for (const slice of statementSlices([...properties])) {
      const seen = new Map(slice.map(([{ property }, times]) => [property, times]));
      const names = slice.map(([{ property }]) => ({ property, counts: noCounts(), reopenings: 0 }));
      const known = await store.writeProperties(names, (property) => seen.get(property) as PropertySeen);
      stored.push(...slice.map(([counts]) => counts).filter(({ property }) => known.has(property)));
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
        name: 'find-incomplete-projects',
        text: 'SELECT id FROM projects WHERE definitions_complete_at IS NULL',
        values: [],
      });
      return new Set(rows.map(({ id }) => id));
    },
    async isRead({ projectId, period }) {
      const { rows } = await db.query<object>({
        name: 'find-definition-backfill',
        text: 'SELECT 1 FROM definition_backfills WHERE project_id = $1 AND period = $2',
        values: [projectId, period],
      });
      return rows.length > 0;
    },
    async addPart({ projectId, period }, found) {
      const stored = await addNames(found);
      const counted = stored.filter(({ counts }) => counts.some((count) => count > 0));
      return await db.transaction(async (one) => {
        const { rows } = await one.query<object>({
          name: 'add-definition-backfill',
          text: partStatement,
          values: [projectId, period],
        });
        if (rows.length === 0) return false;
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
    async complete(projectIds) {
      await db.query({
        name: 'complete-definitions',
        text: 'UPDATE projects SET definitions_complete_at = now() WHERE id = ANY($1) AND definitions_complete_at IS NULL',
        values: [[...projectIds]],
      });
    },
  };
}

const keyOf = ({ projectId, owner, groupTypeIndex, name }: PropertyName): object => ({
  project_id: projectId,
  type: owner,
  group_type_index: groupTypeIndex,
  name,
});
