import { expect, test } from '@jest/globals';
import { originForm } from './origin-form.ts';

test.each([
  ['/api/users/@me?x=http://y/', '/api/users/@me?x=http://y/'],
  ['http://x/api/personal_api_keys/?limit=1', '/api/personal_api_keys/?limit=1'],
  ['HTTPS://x:8010', '/'],
  ['http://x?limit=1', '/?limit=1'],
  ['//x/y', '//x/y'],
  ['*', '/*'],
])('%s is %s', (target, path) => {
  expect(originForm(target)).toBe(path);
});
