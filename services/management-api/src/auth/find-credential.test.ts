import { describe, expect, test } from '@jest/globals';
import { bodyNotSearched } from '@millrace/http/requests/credentials.ts';
import { findCredential } from './find-credential.ts';

async function find(
  authorization?: string,
  body?: Record<string, string> | typeof bodyNotSearched,
  query: Record<string, string> = {},
) {
  const requested: string[] = [];
  const inBody = (field: string) => {
    requested.push(field);
    return Promise.resolve(body === bodyNotSearched ? body : body?.[field]);
  };
  const found = await findCredential({ authorization, params: {}, query, inBody });
  return { value: found?.value, place: found?.source, queried: requested.length };
}

describe('the first key found is the only one tried: header, body, query (contract/orgs-errors 1.2)', () => {
  test.each<[string, Parameters<typeof find>, string | undefined]>([
    ['header', ['Bearer  phx_a ', { personal_api_key: 'phx_b' }, { personal_api_key: 'phx_c' }], 'phx_a'],
    ['body', [undefined, { personal_api_key: 'phx_b' }, { personal_api_key: 'phx_c' }], 'phx_b'],
    ['query', [undefined, undefined, { personal_api_key: 'phx_c' }], 'phx_c'],
    ['another scheme does not count', ['Basic abc', {}, { personal_api_key: 'phx_c' }], 'phx_c'],
    ['nothing does not count', [undefined, { personal_api_key: '' }, { personal_api_key: '' }], undefined],
    ['a body that is too large carries none', [undefined, bodyNotSearched, { personal_api_key: 'phx_c' }], 'phx_c'],
    ['words with spaces are one key', ['Bearer a b'], 'a b'],
  ])('%s', async (_name, args, value) => expect((await find(...args)).value).toBe(value));

  test('with a key in the header the body is not even read', async () =>
    expect((await find('Bearer phx_a', {})).queried).toBe(0));
  test('a body that is too large and no key elsewhere: the error names where to send the key', async () =>
    expect(find(undefined, bodyNotSearched)).rejects.toMatchObject({
      code: 'not_authenticated',
      message: expect.stringContaining('Authorization header'),
    }));
  test.each(['Bearer ', 'phx_abc', 'Token phx_abc'])(
    'a header that names no key, and no key elsewhere: %s',
    async (header) =>
      expect(find(header, { personal_api_key: '' })).rejects.toMatchObject({
        code: 'not_authenticated',
        message: expect.stringContaining('Authorization: Bearer phx_'),
      }),
  );
  test('an error can name where the key was', async () =>
    expect((await find(undefined, { personal_api_key: 'x' })).place).toBe('request body'));
});
