import { expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { processedDraft } from '../test/drafts.ts';
import { createStoredEvents, type AskClickhouse } from './stored-events.ts';

const uuid = (number: number): string => `ABCDEF00-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A ClickHouse that has everything; how large the parameters of each question are as they are sent, in bytes. */
function createEngine() {
  const questions: Record<string, number>[] = [];
  const ask: AskClickhouse = <Row>({ params }: { params: Record<string, unknown> }) => {
    const { teams, uuids, events, ids } = params as {
      teams: number[];
      uuids: string[];
      events: string[];
      ids: string[];
    };
    const sent = (texts: readonly string[]): number =>
      encodeURIComponent(`[${texts.map((text) => `'${text}'`).join(',')}]`).length;
    questions.push({ uuids: sent(uuids), events: sent(events), ids: sent(ids) });
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
  return { questions, stored: createStoredEvents(ask) };
}

const drafts = (count: number, head = {}): EventDraft[] =>
  Array.from({ length: count }, (_, index) => processedDraft({ uuid: uuid(index), ...head }));

test.each([
  ['many', drafts(7_000), 4],
  ['with long ids', drafts(1_000, { distinctId: 'ü'.repeat(400) }), 20],
  ['with long names', drafts(1_000, { event: 'ü'.repeat(200) }), 10],
])('no question has a parameter that ClickHouse refuses, and none is left out: %s', async (_name, some, atLeast) => {
  const { questions, stored } = createEngine();
  let signs = 0;
  expect((await stored.find(some, () => signs++)).size).toBe(some.length);
  expect(questions.length).toBeGreaterThanOrEqual(atLeast);
  expect(signs).toBe(questions.length);
  for (const sizes of questions)
    for (const [name, size] of Object.entries(sizes)) expect([name, size < 131_072]).toEqual([name, true]);
});

test('an event is found by the name under which it is stored', async () => {
  const { stored } = createEngine();
  expect((await stored.find(drafts(1, { event: 'x'.repeat(300) }), () => undefined)).size).toBe(1);
  const asked: unknown[] = [];
  const ask: AskClickhouse = ({ params }) => {
    asked.push(params['events']);
    return Promise.resolve([]);
  };
  await createStoredEvents(ask).find(drafts(1, { event: 'x'.repeat(300) }), () => undefined);
  expect(asked).toEqual([['x'.repeat(200)]]);
});
