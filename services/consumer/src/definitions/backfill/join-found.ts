import type { PropertyOwner } from '@millrace/contracts/property-types.ts';
import type { EventName, EventProperty, PropertyCounts, PropertyName, Seen } from '../definition-store.ts';
import { valueKinds } from '../value-kind.ts';
import type { EventRow, PropertyRow } from './backfill-sql.ts';

/** Names that were found in one part: `events` is empty for persons and groups. */
export interface FoundNames {
  owner: PropertyOwner;
  events: EventRow[];
  properties: PropertyRow[];
}

/** The names of all parts of a project, each once. */
export interface JoinedNames {
  events: ReadonlyMap<EventName, Seen>;
  properties: ReadonlyMap<PropertyCounts, Seen>;
  pairs: readonly EventProperty[];
}

/** Joins the parts of a project: counts add up, times span all. Pure. */
export function joinFound(projectId: number, parts: readonly FoundNames[]): JoinedNames {
  const events = new Map<string, Seen>();
  const properties = new Map<string, { property: PropertyName; counts: number[]; seen: Seen }>();
  const pairs = new Map<string, EventProperty>();
  for (const part of parts) {
    for (const row of part.events) events.set(row.event, spanning(events.get(row.event), row));
    for (const row of part.properties) {
      const key = JSON.stringify([part.owner, row.group_type_index, row.name]);
      const known = properties.get(key);
      properties.set(key, {
        property: { projectId, owner: part.owner, groupTypeIndex: row.group_type_index, name: row.name },
        counts: valueKinds.map((_, index) => (known?.counts[index] ?? 0) + (row.counts[index] as number)),
        seen: spanning(known?.seen, row),
      });
      if (part.owner === 'event')
        pairs.set(JSON.stringify([row.event, row.name]), { projectId, event: row.event, property: row.name });
    }
  }
  return {
    events: new Map([...events].map(([name, seen]) => [{ projectId, name }, seen])),
    properties: new Map([...properties.values()].map(({ property, counts, seen }) => [{ property, counts }, seen])),
    pairs: [...pairs.values()],
  };
}

function spanning(known: Seen | undefined, { first_ms: first, last_ms: last }: EventRow): Seen {
  const [firstMs, lastMs] = [Number(first), Number(last)];
  if (known === undefined) return { firstMs, lastMs };
  return { firstMs: Math.min(known.firstMs, firstMs), lastMs: Math.max(known.lastMs, lastMs) };
}
