import { expect, test } from '@jest/globals';
import type { ProjectCache } from '../projects/project-cache.ts';
import { lookupOf, entryRange, testEntry, testProject } from '../test/drafts.ts';
import { dropReasonOf } from './drop-reason.ts';

/** Knows one project, and finds it only by its keys. */
const projects: ProjectCache = {
  load: (ids, tokens) => {
    const known = lookupOf(testProject);
    return Promise.resolve({
      byId: (id) => (ids.has(id) ? known.byId(id) : null),
      byToken: (token) => (tokens.has(token) ? known.byToken(token) : null),
    });
  },
};

test.each([
  ['of a project that capture named', testEntry(), null],
  ['of a token that capture could not look up', testEntry({ projectId: null }), null],
  ['of a project that is not there', testEntry({ projectId: 8 }), 'unknown_project'],
  ['of a token that names none', testEntry({ projectId: null, token: 'phc_unknown' }), 'unknown_project'],
  ['of a side channel', testEntry({ event: '$$heatmap' }), 'heatmap'],
  ['that cannot be read, which is a dead letter', testEntry({}, '[]'), null],
])('the event lookup reports why the consumer drops an event: one %s', async (_name, entry, reason) => {
  expect(await dropReasonOf(entryRange(entry), projects)).toBe(reason);
});
