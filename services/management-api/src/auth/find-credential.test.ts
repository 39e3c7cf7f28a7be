import { describe, expect, test } from '@jest/globals';
import { findCredential } from './find-credential.ts';

const find = (authorization?: string, body?: Record<string, unknown>, query: Record<string, string> = {}) =>
  findCredential({ authorization, params: {}, query, body: () => body });

describe('the first key found is the only one tried: header, body, query (contract/orgs-errors 1.2)', () => {
  test.each([
    ['header', find('Bearer  phx_a ', { personal_api_key: 'phx_b' }, { personal_api_key: 'phx_c' }), 'phx_a'],
    ['body', find(undefined, { personal_api_key: 'phx_b' }, { personal_api_key: 'phx_c' }), 'phx_b'],
    ['query', find(undefined, undefined, { personal_api_key: 'phx_c' }), 'phx_c'],
    ['another scheme does not count', find('Basic abc', {}, { personal_api_key: 'phx_c' }), 'phx_c'],
    ['a value that is no text does not count', find(undefined, { personal_api_key: 5 }), undefined],
    ['nothing', find('Bearer '), undefined],
  ])('%s', (_name, found, value) => expect(found?.value).toBe(value));
});
