import { describe, expect, test } from '@jest/globals';
import { lookupOf, entryRange, testDraft, testEntry, testProject } from '../test/drafts.ts';
import { processEvent, readEntry } from './process-event.ts';
import { resolveProject } from './resolve-project.ts';

describe('resolveProject (contract/capture 1.6)', () => {
  test.each([
    ['the project that capture named', { projectId: 7, token: 'an older token' }],
    ['the one of the token when capture could not look it up', { projectId: null }],
  ])('an event belongs to %s', (_name, head) => {
    const draft = testDraft(head);
    expect(resolveProject(draft, lookupOf(testProject))).toEqual({ kind: 'ok' });
    expect(draft.project).toBe(testProject);
  });

  test.each([{ projectId: null, token: 'phc_unknown' }, { projectId: 8 }])(
    'an event of no project is dropped: %j',
    (head) => {
      expect(resolveProject(testDraft(head), lookupOf(testProject))).toEqual({
        kind: 'drop',
        reason: 'unknown_project',
      });
    },
  );
});

test('a bug that one event triggers costs that event only, and the letter names the step', () => {
  const broken = {
    byId: () => {
      throw new TypeError('a fault');
    },
    byToken: () => null,
  };
  expect(processEvent(readEntry(entryRange(testEntry())), broken)).toMatchObject({
    step: 'resolve-project',
    outcome: { kind: 'dead-letter', reason: 'unexpected_fault', detail: 'TypeError: a fault' },
  });
});
