import { expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { processedDraft } from '../test/drafts.ts';
import { createStoredEvents, type QueryClickhouse } from './stored-events.ts';

const uuid = (number: number): string => `ABCDEF00-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A ClickHouse that has everything; how large the parameters of each query are as they are sent, in bytes. */
function createEngine() {
  const lookups: Record<string, number>[] = [];
  const query: QueryClickhouse = <Row>({ params }: { params: Record<string, unknown> }) => {
    const { teams, uuids, events, ids } = params as {
      teams: number[];
      uuids: string[];
      events: string[];
      ids: string[];
    };
    const sent = (texts: readonly string[]): number =>
      encodeURIComponent(`[${texts.map((text) => `'${text}'`).join(',')}]`).length;
    lookups.push({ uuids: sent(uuids), events: sent(events), ids: sent(ids) });
    return Promise.resolve(
      uuids.map(
        (id, index) =>
          ({
            team_id: String(teams[index]),
            uuid: id.toLowerCase(),
            event: events[index],
            distinct_id: ids[index],
          }) as Row,
      ),
    );
  };
  return { lookups, stored: createStoredEvents(query) };
}

const drafts = (count: number, head = {}): EventDraft[] =>
  Array.from({ length: count }, (_, index) => processedDraft({ uuid: uuid(index), ...head }));

test.each([
  ['many', drafts(7_000), 4],
  ['with long ids', drafts(1_000, { distinctId: 'ü'.repeat(400) }), 20],
  ['with long names', drafts(1_000, { event: 'ü'.repeat(200) }), 10],
])('no query has a parameter that ClickHouse refuses, and none is left out: %s', async (_name, some, atLeast) => {
  const { lookups, stored } = createEngine();
  let signs = 0;
  expect((await stored.find(some, () => signs++)).size).toBe(some.length);
  expect(lookups.length).toBeGreaterThanOrEqual(atLeast);
  expect(signs).toBe(lookups.length);
  for (const sizes of lookups)
    for (const [name, size] of Object.entries(sizes)) expect([name, size < 131_072]).toEqual([name, true]);
});

test('an event is found by the name under which it is stored', async () => {
  const { stored } = createEngine();
  expect((await stored.find(drafts(1, { event: 'x'.repeat(300) }), () => undefined)).size).toBe(1);
  const requested: unknown[] = [];
  const query: QueryClickhouse = ({ params }) => {
    requested.push(params['events']);
    return Promise.resolve([]);
  };
  await createStoredEvents(query).find(drafts(1, { event: 'x'.repeat(300) }), () => undefined);
  expect(requested).toEqual([['x'.repeat(200)]]);
});
