import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { createRouteTable } from '@millrace/runtime/http/route-table.ts';

const paths = [
  '/',
  '/api/things',
  '/api/things/special',
  '/api/things/:id',
  '/api/things/:id/@current',
  '/api/:kind/:name/run',
  '/api/things/:id/openapi.json',
];
const find = createRouteTable(paths.map((path) => [path, path] as const));

let server: Server;
beforeAll(async () => {
  const app = express();
  for (const path of paths) app.get(path, (request, response) => void response.json([path, request.params]));
  app.use((_request, response) => void response.json(null));
  // A parameter that cannot be decoded.
  app.use(((_error, _request, response, _next) => void response.json(null)) as express.ErrorRequestHandler);
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

/** The route that Express finds, without a client, because clients normalize addresses. */
function byExpress(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    socket
      .setEncoding('utf8')
      .on('data', (more: string) => (text += more))
      .on('error', reject);
    socket.on('end', () => resolve(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))));
  });
}

function byTable(path: string): unknown {
  const found = find(path);
  return found === undefined ? null : [found.entry, found.params];
}

describe('a path is looked up as Express would', () => {
  test.each([
    '/',
    '//',
    '/api',
    '/api/things',
    '/API/Things/',
    '/api/things//',
    '/api//things',
    '//api/things',
    '/api/things/special',
    '/api/things/Special/',
    '/api/things/a%20b',
    '/api/things/%2Fa',
    '/api/things/%',
    '/api/things/%zz/@current',
    '/api/things/7/@current',
    '/api/things/7/%40current',
    '/api/th%69ngs/7/run',
    '/api/x/y/run',
    '/api/x/y/RUN/',
    '/api/x//run',
    '/api/things/%C3%BC/openapi.json',
    '/api/things/7/openapi_json',
    '/api/things/7/openapi.json/',
    '/api/x/y/run/z',
    '/api/things/:id',
    '/api/things/__proto__',
    '/api/things/a;b=c',
  ])('%s', async (path) => expect(byTable(path)).toEqual(await byExpress(path)));
});

test('a path that is more than parts and parameters is refused when the table is made', () => {
  for (const path of ['/a/*rest', '/a{/:b}', '/a/:id.json', 'a'])
    expect(() => createRouteTable([[path, 1]])).toThrow(path);
});
