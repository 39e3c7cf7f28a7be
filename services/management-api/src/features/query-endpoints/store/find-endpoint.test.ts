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

describe('an endpoint that is not there', () => {
  const known = (isActive: boolean) =>
    ({
      runnableEndpoints: {
        find: (_projectId: number, name: string) =>
          Promise.resolve(name === 'funnel' ? { endpoint: { id: 'e', name, isActive } } : null),
      },
      endpoints: { names: () => Promise.resolve(['funnel', 'revenue']) },
    }) as unknown as Context;
  const run = (name: string, access = auth, isActive = true) =>
    findRunnableEndpoint({ params: { name }, auth: access, context: known(isActive) });

  test('is named, with the one that was probably meant', async () => {
    await expect(run('funel')).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not found. This project has no endpoint "funel". Did you mean "funnel"?',
    });
    await expect(run('retention')).rejects.toThrow(/^Not found\. This project has no endpoint "retention"\.$/);
  });

  test('because it is switched off, gets that reason', async () => {
    await expect(run('funnel', auth, false)).rejects.toThrow(/"funnel" is switched off/);
  });

  test('suggests no other endpoint to the holder of a run token', async () => {
    await expect(run('funel', withToken('e'))).rejects.toThrow(/^Not found\.$/);
    await expect(run('funnel', withToken('before'), false)).rejects.toThrow(/^Not found\.$/);
  });
});
