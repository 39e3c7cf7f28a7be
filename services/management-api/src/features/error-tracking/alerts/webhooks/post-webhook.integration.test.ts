import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createPostWebhook, type PostWebhook } from './post-webhook.ts';
import { createResolveHost, type ResolveHost } from './resolve-host.ts';

// contract/decisions 142: what a receiver, or whoever chose its URL, can do to this service.

const servers: Server[] = [];
let tcpServer: TcpServer | undefined;
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  tcpServer?.close();
});

async function receiver(listener: RequestListener): Promise<{ url: string; port: number; calls: IncomingMessage[] }> {
  const calls: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    calls.push(request);
    listener(request, response);
  });
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, port, calls };
}
const posting = (options: { resolveHost?: ResolveHost; isPrivateAllowed?: boolean } = {}): PostWebhook =>
  createPostWebhook({ resolveHost: createResolveHost(true), isPrivateAllowed: true, timeoutMs: 1_000, ...options });
const post = (url: string, by = posting()) => by(url, { 'webhook-id': 'd1' }, '{"ü":1}');

test('a body arrives as it is, with its headers, and 2xx is a delivery', async () => {
  let body = '';
  const { url, calls } = await receiver((request, response) => {
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => response.writeHead(204).end());
  });
  expect(await post(url)).toEqual({ isDelivered: true, responseStatus: 204, error: null });
  expect(body).toBe('{"ü":1}');
  expect(calls[0]).toMatchObject({
    method: 'POST',
    headers: { 'webhook-id': 'd1', 'content-type': 'application/json', 'content-length': '8' },
  });
});

test.each([
  [500, false],
  [404, false],
  [410, true],
])('%d is a failure, final: %p', async (status, isFinal) => {
  const { url } = await receiver((_request, response) => response.writeHead(status).end('a secret of the receiver'));
  const { isFinal: final = false, ...outcome } = await post(url);
  expect([final, outcome]).toEqual([
    isFinal,
    { isDelivered: false, responseStatus: status, error: expect.stringContaining(`answered ${status}`) },
  ]);
  expect(outcome.error).not.toContain('secret');
});

test('a redirect is not followed', async () => {
  const inner = await receiver((_request, response) => response.end());
  const { url } = await receiver((_request, response) => response.writeHead(307, { location: inner.url }).end());
  expect(await post(url)).toMatchObject({
    isDelivered: false,
    responseStatus: 307,
    error: expect.stringContaining('redirects'),
  });
  expect(inner.calls).toEqual([]);
});

test('a receiver that wants to speak another protocol has not taken it', async () => {
  tcpServer = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
  });
  await once(tcpServer.listen(0, '127.0.0.1'), 'listening');
  const { port } = tcpServer.address() as AddressInfo;
  expect(await post(`http://127.0.0.1:${port}/`)).toEqual({
    isDelivered: false,
    responseStatus: null,
    error: 'The connection ended without an answer.',
  });
});

describe('a receiver that is slow', () => {
  test('to answer is given up in time', async () => {
    const { url } = await receiver(() => undefined);
    expect(await post(url)).toEqual({
      isDelivered: false,
      responseStatus: null,
      error: 'The receiver did not answer within 1 seconds.',
    });
  });

  test('to end its headers is given up in time', async () => {
    const { url } = await receiver(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('a: b\r\n'), 50);
      socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
    });
    expect(await post(url)).toMatchObject({ isDelivered: false, error: expect.stringContaining('did not answer') });
  });

  test('to end its reply has taken the alert: its status counts', async () => {
    const { url } = await receiver((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const begun = performance.now();
    expect(await post(url)).toMatchObject({ isDelivered: true, responseStatus: 200 });
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});

test('a reply without end is cut after some kilobytes', async () => {
  let written = 0;
  const chunk = Buffer.alloc(65_536);
  const { url } = await receiver((_request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000_000 });
    const write = (): void => {
      while (!response.destroyed && written < 1_000_000_000) {
        written += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
    };
    write();
  });
  expect(await post(url)).toMatchObject({ isDelivered: true });
  expect(written).toBeLessThan(50_000_000);
});

describe('without private addresses', () => {
  const strict = (resolveHost: ResolveHost = () => Promise.resolve([])) =>
    posting({ isPrivateAllowed: false, resolveHost });

  test.each(['http://127.0.0.1', 'http://2130706433', 'http://[::1]', 'http://[::ffff:127.0.0.1]'])(
    '%s is not called',
    async (host) => {
      const { port, calls } = await receiver((_request, response) => response.end());
      expect(await post(`${host}:${port}/`, strict())).toMatchObject({ error: expect.stringContaining('not called') });
      expect(calls).toEqual([]);
    },
  );

  test.each([[['127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']], [['169.254.169.254']]])(
    'a name of %j is not called',
    async (addresses) => {
      const { port, calls } = await receiver((_request, response) => response.end());
      const outcome = await post(
        `http://inner.example.com:${port}/`,
        strict(() => Promise.resolve(addresses)),
      );
      expect(outcome).toMatchObject({ error: expect.stringContaining('not called') });
      expect(calls).toEqual([]);
    },
  );

  test('localhost of this machine is not called', async () => {
    const { port, calls } = await receiver((_request, response) => response.end());
    const outcome = await post(`http://localhost:${port}/`, strict(createResolveHost(false)));
    expect(outcome.isDelivered).toBe(false);
    expect(calls).toEqual([]);
  });
});

test('a name is looked up once: the address that was checked is the one that is called', async () => {
  const { port, calls } = await receiver((_request, response) => response.end());
  const answers = [['127.0.0.1'], ['203.0.113.1']];
  let asked = 0;
  const resolveHost = (): Promise<string[]> => Promise.resolve(answers[asked++] ?? []);
  expect(await post(`http://hook.invalid:${port}/`, posting({ resolveHost }))).toMatchObject({ isDelivered: true });
  expect([asked, calls[0]?.headers.host]).toEqual([1, `hook.invalid:${port}`]);
});

test('a name without address, and servers of names that do not answer, are failures', async () => {
  const none = posting({ resolveHost: () => Promise.resolve([]) });
  expect(await post('http://none.invalid/', none)).toMatchObject({ error: 'The host has no address.' });
  const away = posting({ resolveHost: () => Promise.reject(Object.assign(new Error('away'), { code: 'ETIMEOUT' })) });
  expect(await post('http://away.invalid/', away)).toMatchObject({
    error: 'The receiver could not be reached (ETIMEOUT).',
  });
  const hanging = posting({ resolveHost: () => new Promise(() => undefined) });
  expect(await post('http://hanging.invalid/', hanging)).toMatchObject({
    error: expect.stringContaining('did not answer'),
  });
});
