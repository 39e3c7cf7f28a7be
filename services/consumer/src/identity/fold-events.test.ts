import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { warn } from '../events/event-draft.ts';
import { nobodyLeaves } from '../overflow/leaving-events.ts';
import { PersonProperties } from '../persons/person.ts';
import { PersonOfEvent } from '../persons/person-of-event.ts';
import { testDraft } from '../test/drafts.ts';
import { foldEvents } from './fold-events.ts';
import { BatchTooLargeError } from '../stream/batch-too-large-error.ts';

const large = (change: number): PersonOfEvent =>
  new PersonOfEvent('a', 'full', new PersonProperties({ change, big: 'x'.repeat(599_980) }));
const person = large(0);
const plain = { isWritten: () => false, extraBytes: () => 0, leaving: nobodyLeaves };

test('a batch is divided by what it would write, before that is in memory: 33 KB of events that each change a person of 600 KB are 1.2 GB', async () => {
  let folded = 0;
  const fold = (): PersonOfEvent => large(folded++);
  const drafts = Array.from({ length: 400 }, () => testDraft());
  await expect(foldEvents(drafts, { ...plain, fold, bytesMax: 30_000_000 })).rejects.toThrow(BatchTooLargeError);
  expect(folded).toBe(10);
  await expect(foldEvents(drafts.slice(0, 9), { ...plain, fold, bytesMax: 30_000_000 })).resolves.toMatchObject({
    left: [],
  });
});

test('large properties that stay the same are written once in a batch, however many events name them; small ones with each row', async () => {
  const drafts = Array.from({ length: 400 }, () => testDraft());
  await expect(
    foldEvents(drafts, {
      ...plain,
      fold: () => new PersonOfEvent('a', 'full', person.properties),
      bytesMax: 3_500_000,
    }),
  ).resolves.toMatchObject({ left: [] });
  const small = new PersonProperties({ some: 'x'.repeat(15_000) });
  await expect(
    foldEvents(drafts, { ...plain, fold: () => new PersonOfEvent('a', 'full', small), bytesMax: 3_500_000 }),
  ).rejects.toThrow(BatchTooLargeError);
});

test('what is written beside the row counts', async () => {
  const fold = (): PersonOfEvent => person;
  await expect(
    foldEvents([testDraft()], { ...plain, fold, extraBytes: () => 2_000_000, bytesMax: 3_000_000 }),
  ).rejects.toThrow(BatchTooLargeError);
});

test('large persons do not hold up the event loop: others have their turn every few of them', async () => {
  let [turns, running] = [0, true];
  const others = (async () => {
    while (running) {
      await setImmediate();
      turns++;
    }
  })();
  let folded = 0;
  await foldEvents(
    Array.from({ length: 100 }, () => testDraft()),
    { ...plain, fold: () => large(folded++), bytesMax: Infinity },
  );
  running = false;
  await others;
  expect(turns).toBeGreaterThan(40);
});

// 2,000 events of 15 bytes that set one property of a person of 640 KB to and fro took 4 GB and four minutes.
describe('a large person that changes back and forth', () => {
  const drafts = Array.from({ length: 40 }, () => testDraft());
  let folded = 0;
  const toggled = (): PersonOfEvent => large((folded += 1) % 2);

  test('is charged with each change, although both contents were there before', async () => {
    await expect(foldEvents(drafts, { ...plain, fold: toggled, bytesMax: 100_000_000 })).rejects.toThrow(
      BatchTooLargeError,
    );
  });

  test('is in memory once for each of its contents', async () => {
    const { ofEvents } = await foldEvents(drafts, { ...plain, fold: toggled, bytesMax: Infinity });
    expect(new Set(ofEvents.map(({ properties }) => properties)).size).toBe(2);
    expect(ofEvents.map(({ properties }) => properties.values['change'])).toEqual(
      drafts.map((_, at) => ofEvents[at % 2]?.properties.values['change']),
    );
  });

  test('and one whose changes are refused, because they make it too large, is charged with each', async () => {
    const refused = drafts.map((draft) => {
      warn(draft, 'person_properties_size_violation', {});
      return draft;
    });
    await expect(foldEvents(refused, { ...plain, fold: () => person, bytesMax: 100_000_000 })).rejects.toThrow(
      BatchTooLargeError,
    );
  });
});
