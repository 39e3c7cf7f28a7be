import { expect, test } from '@jest/globals';
import { routes } from '../routes.ts';
import { nearestAddress } from './nearest-address.ts';

const paths = routes.map(({ path }) => path);

test.each([
  ['/api/projects/1/endpoint/by_plan/run', '/api/projects/1/endpoints/by_plan/run'],
  ['/api/projects/1/querry', '/api/projects/1/query'],
  ['/api/project/1/endpoints', '/api/projects/1/endpoints'],
  ['/api/project/1/endpoint/by_plan/run', '/api/projects/1/endpoints/by_plan/run'],
  ['/projects/1/query', '/api/projects/1/query'],
  ['/api/endpoints/by_plan/run', '/api/projects/@current/endpoints/by_plan/run'],
  ['/endpoints/by_plan/run/', '/api/projects/@current/endpoints/by_plan/run'],
  ['/api/query', '/api/projects/@current/query'],
  ['/api/projects/1/endpoints/by_plan/rum', '/api/projects/1/endpoints/by_plan/run'],
  ['/doc', '/docs'],
])('%s: %s', (path, meant) => expect(nearestAddress(path, paths)).toBe(meant));

test.each(['/api', '/dashboard', '/api/projects/1/cohorts', '/api/event', `/${'a/'.repeat(9_000)}`])(
  'nothing is like %s',
  (path) => expect(nearestAddress(path, paths)).toBeUndefined(),
);
