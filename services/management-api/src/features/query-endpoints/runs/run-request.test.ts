import { describe, expect, test } from '@jest/globals';
import { readRunRequest } from './run-request.ts';

const nothing = {
  version: undefined,
  limit: undefined,
  offset: undefined,
  refresh: 'cache',
  debug: false,
  clientQueryId: null,
  isRawCsv: false,
  hasFiltersOverride: false,
  variables: {},
  textVariables: {},
};

describe('a run (contract/endpoints 4.1)', () => {
  test('asks for nothing unless told', () => {
    expect(readRunRequest(undefined, {}, {})).toEqual(nothing);
    const nulls = {
      client_query_id: null,
      debug: null,
      filters_override: null,
      limit: null,
      offset: null,
      refresh: null,
      variables: null,
      version: null,
    };
    expect(readRunRequest(nulls, {}, {})).toEqual(nothing);
  });

  const inUrl = {
    version: 2,
    limit: 20,
    offset: 3,
    refresh: 'force',
    debug: true,
    client_query_id: 'url',
    variables: '{"a":"url"}',
  };
  const read = {
    version: 2,
    limit: 20,
    offset: 3,
    refresh: 'force',
    debug: true,
    clientQueryId: 'url',
    variables: { a: 'url' },
    textVariables: { b: 'url' },
  };
  const rawQuery = { 'variables[b]': 'url', variables: inUrl.variables, limit: '20' };

  test('may ask for all of it in the URL', () =>
    expect(readRunRequest({}, inUrl, rawQuery)).toEqual({ ...nothing, ...read }));

  test.each([
    [{ version: 1 }, { version: 1 }],
    [{ limit: 10 }, { limit: 10 }],
    [{ offset: 0 }, { offset: 0 }],
    [{ refresh: 'cache' as const }, { refresh: 'cache' }],
    [{ debug: false }, { debug: false }],
    [{ client_query_id: 'body' }, { clientQueryId: 'body' }],
    [{ variables: { a: 'body' } }, { variables: { a: 'body' }, textVariables: {} }],
    [{ variables: {} }, { variables: {}, textVariables: {} }],
  ])('the body wins over the URL: %j', (body, expected) =>
    expect(readRunRequest(body, inUrl, rawQuery)).toEqual({ ...nothing, ...read, ...expected }),
  );

  test.each([
    ['cache', 'cache'],
    ['force', 'force'],
    ['direct', 'direct'],
    ['blocking', 'cache'],
    ['force_blocking', 'force'],
  ] as const)('refresh %s is %s', (given, expected) => {
    expect([
      readRunRequest({ refresh: given }, {}, {}).refresh,
      readRunRequest(undefined, { refresh: given }, {}).refresh,
    ]).toEqual([expected, expected]);
  });
});
