import { describe, expect, test } from '@jest/globals';
import { readRunRequest, refuseUnknownParameters } from './run-request.ts';

const nothing = {
  version: undefined,
  limit: undefined,
  offset: undefined,
  refresh: 'cache',
  debug: false,
  clientQueryId: null,
  isRawCsv: false,
  filtersOverride: null,
  variables: {},
  textVariables: {},
  hasBodyVariables: false,
  parameters: [],
};

describe('a run (contract/endpoints 4.1)', () => {
  test('has the defaults when nothing is given', () => {
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

  test('takes all options from the URL', () =>
    expect(readRunRequest({}, inUrl, rawQuery)).toEqual({ ...nothing, ...read }));

  test.each([
    [{ version: 1 }, { version: 1 }],
    [{ limit: 10 }, { limit: 10 }],
    [{ offset: 0 }, { offset: 0 }],
    [{ refresh: 'cache' as const }, { refresh: 'cache' }],
    [{ debug: false }, { debug: false }],
    [{ client_query_id: 'body' }, { clientQueryId: 'body' }],
    [{ variables: { a: 'body' } }, { variables: { a: 'body' }, textVariables: {}, hasBodyVariables: true }],
    [{ variables: {} }, { variables: {}, textVariables: {}, hasBodyVariables: true }],
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

describe('other parameters of the URL (decision 76)', () => {
  test('are values of variables; those in brackets win', () =>
    expect(
      readRunRequest(undefined, { limit: 5 }, { limit: '5', user: 'a', plan: 'b', 'variables[plan]': 'c' }),
    ).toMatchObject({ textVariables: { user: 'a', plan: 'c' }, parameters: ['user', 'plan'] }));

  test('do not include the parameters of keys and formats', () =>
    expect(
      readRunRequest(undefined, { format: 'csv', csv: 'raw' }, { format: 'csv', csv: 'raw', personal_api_key: 'phx_' }),
    ).toMatchObject({ textVariables: {}, parameters: [] }));

  test.each([
    [['user'], [], 'Unknown parameter "user". This query has no variables.'],
    [['plan', 'user'], ['plan', 'since'], 'Unknown parameter "user". Variables here: plan, since.'],
  ])('%j with the variables %j: a 400', (parameters, variables, message) =>
    expect(() => refuseUnknownParameters({ parameters, hasBodyVariables: true }, variables)).toThrow(message),
  );

  test('are accepted when they name variables', () =>
    expect(() => refuseUnknownParameters({ parameters: ['plan'], hasBodyVariables: false }, ['plan'])).not.toThrow());

  // Variables of the body hide those of the URL. Without an error, the run would use the default in silence.
  test.each([{ variables: { since: '2026-01-01' } }, { variables: {} }])('are a 400 beside %j in the body', (body) => {
    const request = readRunRequest(body, {}, { plan: 'pro' });
    expect(() => refuseUnknownParameters(request, ['plan', 'since'])).toThrow(
      '"plan" is in the URL, but the variables of the body replace those of the URL. Write it in the body.',
    );
  });

  test('in brackets or JSON are hidden by those of the body, as in the contract', () => {
    const rawQuery = { 'variables[plan]': 'pro', variables: '{"plan":"pro"}' };
    const request = readRunRequest({ variables: { since: '2026-01-01' } }, { variables: rawQuery.variables }, rawQuery);
    expect(request).toMatchObject({ variables: { since: '2026-01-01' }, textVariables: {} });
    expect(() => refuseUnknownParameters(request, ['plan', 'since'])).not.toThrow();
  });
});
