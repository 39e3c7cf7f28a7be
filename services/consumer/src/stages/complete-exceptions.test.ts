import { expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { ClientProperties } from '../properties/client-properties.ts';
import { exceptionParts } from '../test/exception-parts.ts';
import { testHead, testProject } from '../test/drafts.ts';
import { completeExceptions } from './complete-exceptions.ts';
import type { EventBatch } from './event-batch.ts';

const draftOf = (properties: object): EventDraft =>
  ({ head: testHead, project: testProject, position: {}, properties }) as unknown as EventDraft;

test('a fault while one event is read is its own: the others stay, and the batch goes on', async () => {
  const faulty = {
    get values(): never {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  const drafts = [draftOf(faulty), draftOf(ClientProperties.read(Buffer.from('{}')) as ClientProperties)];
  const work = {
    batch: { withoutSlot: (wait: () => unknown) => wait(), signal: new AbortController().signal },
    context: { exceptions: exceptionParts(), retry: (_: string, task: () => unknown) => task() },
    letterWriter: { entry: (_: unknown, letter: object) => letter },
    ended: [],
    letters: [],
    hits: [],
  };
  const staying = await completeExceptions(work as unknown as EventBatch, drafts);
  expect(staying).toEqual([drafts[1]]);
  const detail = 'RangeError: Maximum call stack size exceeded';
  expect(work.letters).toEqual([{ reason: 'unexpected_fault', step: 'complete-exceptions', detail }]);
});
