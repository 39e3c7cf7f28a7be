import { rawNumber } from '@millrace/json/exact-json.ts';
import { memberOf, type ObjectValue } from '../text-repr/values/json-values.ts';
import { numberOf } from '../text-repr/values/python-numbers.ts';

/** An event as the renderer reads it. */
export interface ReadEvent {
  readonly id: string;
  readonly event: string;
  /** As of stored events. */
  readonly timestamp: string;
  readonly properties: ObjectValue;
}

/** A node of the tree of a trace. */
export interface TraceNode {
  readonly event: ReadEvent;
  readonly children: TraceNode[];
}

interface Entry {
  readonly node: TraceNode;
  /** In microseconds. */
  readonly start: number;
  /** In seconds. */
  readonly latency: number;
  /** Id of the parent; after `linkParents` its entry is in `parent`. */
  readonly parentId: string | null;
  parent: Entry | null;
  /** Place among all entries in the order of siblings. */
  rank: number;
  /** Number of the walk that met it; null: none yet. */
  walk: number | null;
}

/**
 * The tree of a trace's events, which come in the order of time (contract/llm-surveys 6.3). Each id is one node, of the last event that
 * has it. An event whose parent is the trace or is not there is a root; so is the first event of a circle. Siblings are ordered by start,
 * then the longer one first. Takes n log n time, and depth costs no stack. Pure.
 */
export function arrangeEvents(traceId: string, events: readonly ReadEvent[]): TraceNode[] {
  const byId = new Map<string, Entry>();
  for (const event of events) byId.set(nodeIdOf(event), entryOf(traceId, event));
  const entries = [...byId.values()].sort((a, b) => a.start - b.start || b.latency - a.latency);
  for (const [rank, entry] of entries.entries()) {
    entry.rank = rank;
    entry.parent = entry.parentId === null ? null : (byId.get(entry.parentId) ?? null);
  }
  cutCircles(entries);
  const roots: TraceNode[] = [];
  for (const { node, parent } of entries) (parent?.node.children ?? roots).push(node);
  return roots;
}

function entryOf(traceId: string, event: ReadEvent): Entry {
  const { properties } = event;
  const parentId = idText(memberOf(properties, '$ai_parent_id'));
  const latency = latencyOf(properties);
  const isStart = memberOf(properties, '$ai_ingestion_source') === 'otel';
  return {
    node: { event, children: [] },
    start: microseconds(event.timestamp) - (isStart ? 0 : latency * 1e6),
    latency,
    parentId: parentId === traceId ? null : parentId,
    parent: null,
    rank: 0,
    walk: null,
  };
}

/** Makes the first member of each circle a root. Every entry is walked once. */
function cutCircles(entries: readonly Entry[]): void {
  for (const [walk, from] of entries.entries()) {
    let entry: Entry | null = from;
    while (entry?.walk === null) {
      entry.walk = walk;
      entry = entry.parent;
    }
    if (entry?.walk === walk) firstOfCircle(entry).parent = null;
  }
}

function firstOfCircle(member: Entry): Entry {
  let first = member;
  for (let entry = member.parent; entry !== null && entry !== member; entry = entry.parent)
    if (entry.rank < first.rank) first = entry;
  return first;
}

function nodeIdOf({ id, properties }: ReadEvent): string {
  return idText(memberOf(properties, '$ai_generation_id')) ?? idText(memberOf(properties, '$ai_span_id')) ?? id;
}

/** An id as text: a number by its digits. Null: it is none, or an empty text. */
function idText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : rawNumber(value);
}

/** In seconds; 0 when it is not known, or no time at all. */
function latencyOf(properties: ObjectValue): number {
  const latency = numberOf(memberOf(properties, '$ai_latency')) ?? 0;
  return latency > 0 && Number.isFinite(latency) ? latency : 0;
}

/** Microseconds since 1970 of a timestamp with six digits of a second. */
function microseconds(timestamp: string): number {
  return Date.parse(timestamp) * 1000 + Number(timestamp.slice(23, 26));
}
