import { describe, expect, test } from '@jest/globals';
import type { Context } from '../context.ts';
import { findRunnableEndpoint } from './find-endpoint.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';

const auth = { project: { id: 1 } } as ProjectAccess;
const withToken = (id: string) => ({ ...auth, runToken: { endpoint: { id, name: 'n' } } }) as ProjectAccess;
const context = {
  runnableEndpoints: {
    find: (projectId: number) =>
      Promise.resolve(projectId === 1 ? { endpoint: { id: 'e', name: 'n', isActive: true } } : null),
  },
} as unknown as Context;
const find = (access: ProjectAccess) => findRunnableEndpoint({ params: { name: 'n' }, auth: access, context });

describe('the endpoint that a run token runs', () => {
  test('is the one that it was made for', async () => expect((await find(withToken('e'))).endpoint.id).toBe('e'));

  // For the milliseconds in which a process does not know yet that the first was renamed.
  test('and not another that has its name by now', async () =>
    await expect(find(withToken('before'))).rejects.toMatchObject({ code: 'not_found' }));
});
