import { expect, jest, test } from '@jest/globals';
import type { CapturedEvent } from '@millrace/captured-event/captured-event.ts';
import { DecodedHead } from '@millrace/captured-event/fast-decode-head.ts';
import fc from 'fast-check';
import { readEvent } from '../steps/read-event.ts';
import { entryRange, testEntry, testHead } from '../test/drafts.ts';
import type { eventKey, Identified } from './event-key.ts';

const uuid = '0190f3a0-0000-7000-8000-000000000001';
/** FNV, as anybody may compute it beforehand, of a project, a name and a distinct id. */
function unseeded(distinctId: string): number {
  const addText = (hash: number, text: string): number =>
    [...text].reduce(
      (sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x01000193),
      Math.imul(hash ^ text.length, 0x01000193),
    );
  return addText(addText(Math.imul(0x811c9dc5 ^ 7, 0x01000193), 'clicked'), distinctId) >>> 0;
}

/** The module as another process has it. */
async function anotherProcess(): Promise<typeof eventKey> {
  let found: { eventKey: typeof eventKey } | undefined;
  await jest.isolateModulesAsync(async () => {
    found = await import('./event-key.ts');
  });
  if (found === undefined) throw new Error('the module was not loaded');
  return found.eventKey;
}

test('nobody can compute beforehand which events are taken for one; in a process the answer stays', async () => {
  // Found by 100,000 tries.
  expect(unseeded('user-lm3n06zg')).toBe(unseeded('user-ya62fg4r'));
  const first = { uuid, event: 'clicked', distinctId: 'user-lm3n06zg' };
  const second = { ...first, distinctId: 'user-ya62fg4r' };
  const processes = [await anotherProcess(), await anotherProcess(), await anotherProcess()];
  for (const keyOf of processes) {
    expect(keyOf(first, 7)).toEqual(keyOf({ ...first }, 7));
    expect(keyOf(first, 7).sameness).not.toBe(keyOf(second, 7).sameness);
  }
  expect(new Set(processes.map((keyOf) => keyOf(first, 7).sameness)).size).toBeGreaterThan(1);
});

test('project, name and distinct id each make another key, and so does the border between them', async () => {
  const keyOf = await anotherProcess();
  const events: [Partial<Identified>, number][] = [
    [{}, 7],
    [{}, 8],
    [{ event: 'b' }, 7],
    [{ distinctId: 'b' }, 7],
    [{ event: 'ab', distinctId: 'c' }, 7],
    [{ event: 'a', distinctId: 'bc' }, 7],
  ];
  const keys = events.map(
    ([more, projectId]) => keyOf({ uuid, event: 'a', distinctId: 'a', ...more }, projectId).sameness,
  );
  expect(new Set(keys).size).toBe(events.length);
});

test('a head whose uuid is bytes in the log has the key of the same head as text', async () => {
  const keyOf = await anotherProcess();
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom('user-1', 'Zürich'), (id, distinctId) => {
      const read = readEvent(entryRange(testEntry({ uuid: id, distinctId })));
      const head = 'head' in read ? read.head : null;
      expect(head).toBeInstanceOf(DecodedHead);
      expect(keyOf(head as CapturedEvent, 7)).toEqual(keyOf({ ...testHead, uuid: id, distinctId }, 7));
    }),
  );
});
