import type { PropertyOwner } from '@millrace/contracts/property-types.ts';
import type { QueryClickhouse } from '../../duplicates/stored-events.ts';
import type { EventName, EventProperty, PropertyCounts, PropertySeen, Seen } from '../definition-store.ts';
import {
  findEvents,
  findPairs,
  findProperties,
  type BackfillPart,
  type NameRow,
  type PairRow,
  type PropertyRow,
} from './backfill-sql.ts';

/** Names of one part, each once. Values count for a property whose type no member has opened again. */
export interface FoundNames {
  events: ReadonlyMap<EventName, Seen>;
  properties: ReadonlyMap<PropertyCounts, PropertySeen>;
  pairs: readonly EventProperty[];
}

/** Reads the names of a part; persons and groups have no events. Throws what ClickHouse throws. */
export async function readPart(part: BackfillPart, query: QueryClickhouse): Promise<FoundNames> {
  const { projectId } = part;
  const owner = ownerOf(part);
  const events = owner === 'event' ? await query<NameRow>(findEvents(part)) : [];
  const properties = await query<PropertyRow>(findProperties(part));
  const pairs = owner === 'event' ? await query<PairRow>(findPairs(part)) : [];
  return {
    events: new Map(events.map((row) => [{ projectId, name: row.name }, seenOf(row)])),
    properties: new Map(
      properties.map((row) => [
        {
          property: { projectId, owner, groupTypeIndex: row.group_type_index, name: row.name },
          counts: row.counts,
          reopenings: 0,
        },
        { ...seenOf(row), firstValueMs: Number(row.first_value_ms) },
      ]),
    ),
    pairs: pairs.map((pair) => ({ projectId, ...pair })),
  };
}

function ownerOf({ period }: BackfillPart): PropertyOwner {
  if (period === 'persons') return 'person';
  return period === 'groups' ? 'group' : 'event';
}

const seenOf = ({ first_ms: first, last_ms: last }: NameRow): Seen => ({
  firstMs: Number(first),
  lastMs: Number(last),
});
