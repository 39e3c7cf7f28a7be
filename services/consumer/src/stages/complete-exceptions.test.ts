import { expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import type { ExceptionParts } from '../exceptions/exception-parts.ts';
import { setKey } from '../exceptions/symbols/symbol-sets.ts';
import { ClientProperties } from '../properties/client-properties.ts';
import { exceptionParts } from '../test/exception-parts.ts';
import { testHead, testProject } from '../test/drafts.ts';
import { completeExceptions } from './complete-exceptions.ts';
import type { EventBatch } from './event-batch.ts';

const draftOf = (properties: object): EventDraft =>
  ({ head: testHead, project: testProject, position: {}, properties }) as unknown as EventDraft;

/** A batch whose first record was appended at time 0. */
const batchOf = (exceptions: Partial<ExceptionParts>, nowMs = 0) => ({
  batch: {
    withoutSlot: (wait: () => unknown) => wait(),
    signal: new AbortController().signal,
    records: [{ appendedAtMs: 0 }],
  },
  context: {
    exceptions: exceptionParts(exceptions),
    retry: (_: string, task: () => unknown) => task(),
    clock: { nowMs: () => nowMs },
  },
  letterWriter: { entry: (_: unknown, letter: object) => letter },
  ended: [],
  letters: [],
  hits: [],
});

test.each([
  ['at once', 0, 2_000],
  ['after a second behind another batch', 1_000, 1_000],
  ['long after it came', 3_600_000, 1_000],
])(
  'a batch that is begun %s waits for its symbols until its time since it came is over, and a second at least',
  async (_when, nowMs, waitsMs) => {
    const frames = [
      { platform: 'web:javascript', filename: 'https://a.example/b.js', lineno: 1, colno: 500, chunk_id: 'c' },
    ];
    const list = { $exception_list: [{ type: 'A', stacktrace: { frames } }] };
    const set = { id: 's', projectId: testProject.id, ref: 'c', storageKey: 'k', release: null };
    const parts: Partial<ExceptionParts> = {
      sets: { ...exceptionParts().sets, find: () => Promise.resolve(new Map([[setKey(set), set]])) },
      compiled: { load: () => new Promise(() => undefined) },
      deadlineMs: 2_000,
    };
    const draft = draftOf(ClientProperties.read(Buffer.from(JSON.stringify(list))) as ClientProperties);
    const begun = performance.now();
    await completeExceptions(batchOf(parts, nowMs) as unknown as EventBatch, [draft]);
    const took = performance.now() - begun;
    expect([took > waitsMs - 50, took < waitsMs + 900]).toEqual([true, true]);
  },
);

test('a fault while one event is read is its own: the others stay, and the batch goes on', async () => {
  const faulty = {
    get values(): never {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  const drafts = [draftOf(faulty), draftOf(ClientProperties.read(Buffer.from('{}')) as ClientProperties)];
  const work = batchOf({});
  const staying = await completeExceptions(work as unknown as EventBatch, drafts);
  expect(staying).toEqual([drafts[1]]);
  const detail = 'RangeError: Maximum call stack size exceeded';
  expect(work.letters).toEqual([{ reason: 'unexpected_fault', step: 'complete-exceptions', detail }]);
});
