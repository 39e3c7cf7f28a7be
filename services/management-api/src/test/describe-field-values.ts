import { describe, expect, test } from '@jest/globals';
import type { Route } from '@millrace/http/define-route.ts';
import { goodBody, type SendToRoute } from './route-sender.ts';
import { statusOfUnknownParameter, withoutQueryAttr } from './fixtures/route-fixtures.ts';
import { misfits, oddValues, type SchemaParts, withValue } from './schema-values.ts';
import { keyRoutes } from './test-keys.ts';

/** Chooses the values that a field is tried with; `at` counts the fields of all routes. */
type Choice = <Value>(values: readonly Value[], at: number) => readonly Value[];

/** All of them. */
export const everyValue: Choice = (values) => values;

/** Three at most, and others for the next field: every field meets some, every value meets many fields. */
export const someValues: Choice = (values, at) => {
  const step = Math.ceil(values.length / 3);
  return values.filter((_value, index) => index % step === at % step);
};

const oddTexts = [
  '',
  'x',
  '-1',
  '0',
  '1e999',
  '99999999999999999999',
  'null',
  '[]',
  '{}',
  '%F0%9F%98%80',
  "';--",
  'true',
  '%E0%A4%A',
];

const withBody = keyRoutes.filter(({ body }) => body);
const named = (routes: readonly Route[]) => routes.map((route) => [route.operationId, route] as const);

/** Every field of the body and of the query of every route, with values that do not fit, or fit by form alone. */
export function describeFieldValues(request: () => { send: SendToRoute; key: string }, choose: Choice): void {
  let fields = 0;

  describe('values of fields', () => {
    test.each(named(withBody))(
      '%s: every field, nested ones too, with values that do not fit: 400 on that field',
      async (_name, route) => {
        const { send, key } = request();
        const schema = route.body as SchemaParts;
        for (const { path, values } of misfits(schema)) {
          for (const value of choose(values, fields++)) {
            const response = await send(route, { key, body: withValue(schema, goodBody(route), path, value) });
            expect([path, value, response.status, String(response.body.attr).split('__')[0]]).toEqual([
              path,
              value,
              400,
              path[0],
            ]);
          }
        }
      },
    );

    test.each(named(withBody))('%s: values that fit by form alone are answered as documented', async (_name, route) => {
      const { send, key } = request();
      const schema = route.body as SchemaParts;
      for (const field of Object.keys(schema.properties ?? {})) {
        for (const value of choose(oddValues, fields++)) {
          const response = await send(route, { key, body: withValue(schema, goodBody(route), [field], value) });
          expect([field, value, response.status < 500]).toEqual([field, value, true]);
        }
      }
    });

    test.each(named(keyRoutes))('%s: odd query values are never a fault of ours', async (_name, route) => {
      const { send, key } = request();
      const { properties = {} } = (route.query ?? {}) as SchemaParts;
      for (const name of [...Object.keys(properties), 'unknown']) {
        for (const value of choose(oddTexts, fields++)) {
          const response = await send(route, { key, query: `?${name}=${value}&${name}=${value}` });
          if (name === 'unknown') expect([value, response.status]).toEqual([value, statusOfUnknownParameter(route)]);
          if (response.status === 400 && !withoutQueryAttr.has(route.operationId))
            expect(response.body.attr).not.toBeNull();
        }
      }
      const nul = await send(route, { key, query: '?a=%00' });
      expect([nul.status, nul.body.code, nul.body.attr]).toEqual([400, 'null_characters_not_allowed', 'a']);
    });
  });
}
