import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrangeEvents, type ReadEvent, type TraceNode } from './arrange-events.ts';

const ids = fc.constantFrom('__proto__', 'constructor', 'toString', 't', 'a', 'b', 'c', 'd', 'e', 'f', '1', '', null);
const anyEvents = fc.array(fc.record({ own: ids, generation: ids, parent: ids, second: fc.integer({ min: 0, max: 9 }), latency: fc.constantFrom(0, 1, 3, Infinity, '2', null) }), {
  maxLength: 14,
}); // prettier-ignore

function readEvents(drawn: typeof anyEvents extends fc.Arbitrary<infer T> ? T : never): ReadEvent[] {
  return drawn
    .toSorted((a, b) => a.second - b.second)
    .map(({ own, generation, parent, second, latency }, index) => ({
      id: `u${index}`,
      event: '$ai_span',
      timestamp: `2026-01-31T00:00:0${second}.000000Z`,
      properties: { $ai_span_id: own, $ai_generation_id: generation, $ai_parent_id: parent, $ai_latency: latency },
    }));
}

const nodeId = ({ id, properties }: ReadEvent): string => {
  const of = properties as Record<string, string | null>;
  return of['$ai_generation_id'] || of['$ai_span_id'] || id;
};
const parentOf = ({ properties }: ReadEvent): unknown => (properties as Record<string, unknown>)['$ai_parent_id'];
const startOf = ({ timestamp, properties }: ReadEvent): number => {
  const latency = Number((properties as Record<string, unknown>)['$ai_latency']);
  return Date.parse(timestamp) - (Number.isFinite(latency) ? latency : 0) * 1000;
};

test('every id is one node, of its last event, below its parent unless a circle is cut there', () => {
  fc.assert(
    fc.property(anyEvents, (drawn) => {
      const events = readEvents(drawn);
      const last = new Map(events.map((event) => [nodeId(event), event]));
      const seen: ReadEvent[] = [];
      const visit = (nodes: readonly TraceNode[], parent: ReadEvent | null): void => {
        const starts = nodes.map(({ event }) => startOf(event));
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        for (const { event, children } of nodes) {
          seen.push(event);
          if (parent !== null) expect(nodeId(parent)).toBe(parentOf(event));
          visit(children, event);
        }
      };
      const roots = arrangeEvents('t', events);
      visit(roots, null);
      expect(new Set(seen)).toEqual(new Set(last.values()));
      expect(seen).toHaveLength(last.size);
      for (const { event } of roots) {
        // A root has no parent that is there, or it is its own ancestor, once.
        const circle: ReadEvent[] = [];
        let above: ReadEvent | undefined = event;
        do {
          circle.push(above);
          const parent: unknown = parentOf(above);
          above = typeof parent === 'string' && parent !== 't' ? last.get(parent) : undefined;
        } while (above !== undefined && !circle.includes(above));
        const isFirst = circle.every((other) => startOf(event) <= startOf(other));
        expect([circle.length === 1 && above === undefined, above === event && isFirst]).toContain(true);
      }
    }),
    { numRuns: 2000 },
  );
});
