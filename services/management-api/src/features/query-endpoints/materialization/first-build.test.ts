import { expect, jest, test } from '@jest/globals';
import type { StoredEndpoint } from '../endpoint.ts';
import { afterFirstBuild } from './first-build.ts';

const stored = { endpoint: { id: 'e1' }, versionsCount: 1 } as StoredEndpoint;
const builds = { buildNow: jest.fn<(versionId: string, withinMs: number) => Promise<void>>().mockResolvedValue() };

// A saved version is said to be saved (contract/endpoints 6.1).
test.each([
  ['as it is after the build', () => Promise.resolve({ ...stored, versionsCount: 2 }), { ...stored, versionsCount: 2 }],
  ['as it was saved, when it is deleted meanwhile', () => Promise.resolve(null), stored],
  ['as it was saved, when Postgres is away', () => Promise.reject(new Error('away')), stored],
])('a request replies with its endpoint %s', async (_name, findById, expected) => {
  expect(await afterFirstBuild({ builds, endpoints: { findById } }, stored, 'v1')).toEqual(expected);
  expect(builds.buildNow).toHaveBeenLastCalledWith('v1', 2_000);
});
