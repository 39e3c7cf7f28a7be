import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { createRoutes } from '../routes.ts';
import { createSdkStubs } from '../sdk-stubs/sdk-stubs.ts';
import { openSdkFiles } from '../web-sdk/sdk-files.ts';
import { createWebSdk } from '../web-sdk/web-sdk.ts';
import { startCapture, token, type CaptureUnderTest } from '../test/capture-under-test.ts';
import type { openApiDocument } from './openapi-document.ts';

// The promise to readers of the document: each example is a request that works with their token, or a reply as capture
// sends it.
interface Content {
  schema: object;
  example?: unknown;
}
interface Documented {
  parameters: { name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

const nobody = (): Promise<void> => Promise.resolve();
const routes = createRoutes({
  receiveEvents: nobody,
  receivePersons: nobody,
  receiveV1Events: nobody,
  discardRecordings: nobody,
  sdkStubs: createSdkStubs({} as Parameters<typeof createSdkStubs>[0]),
  webSdk: createWebSdk(openSdkFiles()),
  limits: { bodyBytesMax: 1, inflatedBytesMax: 1 },
});
const served = routes.flatMap(({ path, methods }) =>
  methods.map((method) => [`${method} ${path}`, path, method] as const),
);

let capture: CaptureUnderTest;
let document: ReturnType<typeof openApiDocument>;
let ajv: Ajv2020;
beforeAll(async () => {
  capture = await startCapture();
  // Not by `json()`: what that makes is of another realm than the test, where ajv holds no two objects equal.
  document = JSON.parse(await (await fetch(`${capture.url}/openapi.json`)).text()) as typeof document;
  ajv = new Ajv2020({ strict: false, formats: fullFormats });
  ajv.addSchema({ ...document, $id: 'document' });
});
afterAll(() => capture?.close());

function expectSchema({ schema, example }: Content): void {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object);
  expect([example, validate(example), validate.errors]).toEqual([example, true, null]);
}

/** The example with a token that a project has. */
const own = (text: unknown): string => String(text).replaceAll('phc_…', token);

/** The body of an example as a client sends it. */
function textOf(type: string, example: unknown): string {
  if (type.endsWith('urlencoded'))
    return new URLSearchParams({ data: own((example as { data: string }).data) }).toString();
  return own(typeof example === 'string' ? example : JSON.stringify(example));
}

describe('the document of capture', () => {
  test.each(served)(
    '%s: its examples are a request that works, in each form of the body, and its reply',
    async (_name, path, method) => {
      const paths = document.paths as Record<string, Record<string, Documented>>;
      const operation = paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] as Documented;
      const needed = operation.parameters.filter(({ required }) => required === true);
      for (const parameter of needed) expect(parameter).toMatchObject({ example: expect.any(String) });
      const valueOf = (name: string): string =>
        encodeURIComponent(own(needed.find((one) => one.name === name)?.example));
      const query = needed.filter((one) => one.in === 'query').map(({ name }) => `${name}=${valueOf(name)}`);
      const address =
        path.replaceAll(/:(\w+)/g, (_all, name: string) => valueOf(name)) + (query[0] ? `?${query[0]}` : '');
      const forms = Object.entries(operation.requestBody?.content ?? {});
      expect(forms.length > 0).toBe(method === 'POST');
      for (const [type, content] of forms) {
        if (type === 'application/json') expectSchema(content);
        const response = await fetch(capture.url + address, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': type.replace('*/*', 'application/json') },
          body: textOf(type, content.example),
        });
        expect([type, response.status, await response.text()]).toEqual([type, 200, expect.any(String)]);
      }
      if (method !== 'POST') expect((await fetch(capture.url + address, { method })).status).toBe(200);
      for (const { content = {} } of Object.values(operation.responses)) {
        if (content['application/json'] !== undefined) expectSchema(content['application/json']);
      }
    },
  );

  test('begins with events, says what each group is, and the limits of this process', () => {
    const tags = document.tags.map(({ name }) => name);
    expect(tags[0]).toBe('Events');
    expect([...new Set(routes.map(({ operation }) => operation.tag))]).toEqual(tags);
    expect(document.info.description).toContain('20 MiB as sent and 64 MiB decompressed, 10,000 events');
  });
});
