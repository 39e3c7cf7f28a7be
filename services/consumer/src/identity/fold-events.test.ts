import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { nobodyLeaves } from '../overflow/leaving-events.ts';
import { PersonProperties } from '../persons/person.ts';
import { PersonOfEvent } from '../persons/person-of-event.ts';
import { testDraft } from '../test/drafts.ts';
import { foldEvents } from './fold-events.ts';
import { IdentityTooLargeError } from './read-whole.ts';

const large = (change: number): PersonOfEvent => new PersonOfEvent('a', 'full', new PersonProperties({ change, big: 'x'.repeat(599_980) }));
const person = large(0);
const plain = { isWritten: () => false, besideRow: () => 0, leaving: nobodyLeaves };

test('a batch is divided by what it would write, before that is in memory: 33 KB of events that each change a person of 600 KB are 1.2 GB', async () => {
  let folded = 0;
  const fold = (): PersonOfEvent => large(folded++);
  const drafts = Array.from({ length: 400 }, () => testDraft());
  await expect(foldEvents(drafts, { ...plain, fold, bytesMax: 30_000_000 })).rejects.toThrow(IdentityTooLargeError);
  expect(folded).toBe(10);
  await expect(foldEvents(drafts.slice(0, 9), { ...plain, fold, bytesMax: 30_000_000 })).resolves.toMatchObject({ left: [] });
});

test('large properties that stay the same are written once in a batch, however many events name them; small ones with each row', async () => {
  const drafts = Array.from({ length: 400 }, () => testDraft());
  await expect(foldEvents(drafts, { ...plain, fold: () => new PersonOfEvent('a', 'full', person.properties), bytesMax: 3_500_000 })).resolves.toMatchObject({ left: [] });
  const small = new PersonProperties({ some: 'x'.repeat(15_000) });
  await expect(foldEvents(drafts, { ...plain, fold: () => new PersonOfEvent('a', 'full', small), bytesMax: 3_500_000 })).rejects.toThrow(IdentityTooLargeError);
});

test('what is written beside the row counts', async () => {
  const fold = (): PersonOfEvent => person;
  await expect(foldEvents([testDraft()], { ...plain, fold, besideRow: () => 2_000_000, bytesMax: 3_000_000 })).rejects.toThrow(IdentityTooLargeError);
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
  await foldEvents(Array.from({ length: 100 }, () => testDraft()), { ...plain, fold: () => large(folded++), bytesMax: Infinity });
  running = false;
  await others;
  expect(turns).toBeGreaterThan(40);
});
