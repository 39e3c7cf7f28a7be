import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ CAPTURE_PUBLIC_URL: 'https://events.example/ingest/' });
});
afterAll(() => api?.stop());

const get = <Body = ReplyBody>(path: string) => api.as(undefined).send<Body>('get', path);

interface OpenapiDocument {
  components: { schemas: object };
  paths: Record<string, Record<string, { responses: object }>>;
}

describe('the reference', () => {
  test('the document is valid OpenAPI 3.1 by a validator that we have not written', async () => {
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    const validator = new Validator();
    expect(await validator.validate((await get('/api/schema')).body as never)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('the document is OpenAPI 3.1 with this address, and every reference in it leads somewhere', async () => {
    const { body } = await get<OpenapiDocument>('/api/schema/').set('Host', 'api.test:81');
    expect(body).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: 'http://api.test:81' }],
      info: { title: expect.any(String), version: expect.any(String) },
    });
    const references = [...JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(references.length).toBeGreaterThan(5);
    for (const name of references) expect(Object.keys(body.components.schemas)).toContain(name);
    const operations = Object.values(body.paths).flatMap((path) => Object.values(path));
    for (const operation of operations) expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
  });

  test('the page and everything it loads come from here', async () => {
    for (const path of ['/docs', '/docs/']) {
      const page = await get(path);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      const urls = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
      expect(urls.length).toBeGreaterThan(3);
      for (const url of urls) {
        expect(url).toMatch(/^\//);
        const asset = await get(url).buffer(true);
        expect([url, asset.status]).toEqual([url, 200]);
      }
    }
  });

  test('the script loads this document and that of capture, and no other; styles and images need no other host', async () => {
    const sources = async (url: string): Promise<[unknown, string | undefined]> => {
      const at = api.as(undefined, { url });
      const { text } = await at.send('get', '/docs/assets/reference.js');
      const { headers } = await at.send('get', '/docs');
      return [
        JSON.parse(/urls: (.*),/.exec(text)?.[1] ?? ''),
        /connect-src [^;]*/.exec(headers['content-security-policy'] ?? '')?.[0],
      ];
    };
    const own = { url: '/api/schema', name: 'Management API' };
    expect(await sources(api.api.url)).toEqual([
      [own, { url: 'https://events.example/ingest/openapi.json', name: 'Capture' }],
      "connect-src 'self' https://events.example",
    ]);
    const alone = await api.startProcess({ CAPTURE_PUBLIC_URL: '' });
    expect(await sources(alone.url)).toEqual([[own], "connect-src 'self'"]);
    const css = (await get('/docs/assets/swagger-ui.css')).text;
    for (const [, url] of css.matchAll(/url\(["']?([^"')]+)/g)) expect(url).toMatch(/^data:/);
  });

  test.each([
    '/docs/assets/package.json',
    '/docs/assets/..%2fpackage.json',
    '/docs/assets/toString',
    '/docs/assets/',
    '/docs/other',
  ])('%s is not there', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  test('the root names the documents', async () => {
    const { body } = await get('/').set('Host', 'h:1');
    expect(body).toEqual({
      name: 'Millrace management API',
      reference_url: 'http://h:1/docs',
      schema_url: 'http://h:1/api/schema',
    });
  });
});
