import { String as StringType } from 'typebox';
import { projectRoute } from '../../../context.ts';
import { findRelease, findReleaseByHash, ReleaseId } from './find-release.ts';
import { Release, releasesPath, renderRelease } from './release.ts';

const common = {
  method: 'get',
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  responses: { 200: Release },
} as const;

export const retrieveRelease = projectRoute({
  ...common,
  operationId: 'retrieve_release',
  path: `${releasesPath}/:release_id`,
  params: { release_id: ReleaseId },
  summary: 'Show a release',
  find: findRelease,
  handler: ({ found }) => renderRelease(found),
});

export const retrieveReleaseByHash = projectRoute({
  ...common,
  operationId: 'retrieve_release_by_hash',
  path: `${releasesPath}/hash/:hash_id`,
  params: {
    hash_id: StringType({
      maxLength: 128,
      description: 'Hash of the release.',
      examples: ['5d41402abc4b2a76b9719d91'],
    }),
  },
  summary: 'Show the release that has a hash',
  find: findReleaseByHash,
  handler: ({ found }) => renderRelease(found),
});
