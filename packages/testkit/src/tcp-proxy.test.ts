import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

// An engine that echoes its input.
let engine: Server;
let notified = '';
let proxy: TcpProxy;

beforeEach(async () => {
  notified = '';
  engine = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      notified += bytes.toString();
      socket.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  proxy = await startTcpProxy((engine.address() as AddressInfo).port);
});

afterEach(async () => {
  await proxy.close();
  engine.close();
});

interface Client {
  socket: Socket;
  received: () => string;
  closed: () => boolean;
}

function client(): Client {
  const socket = connect(proxy.port, '127.0.0.1');
  let received = '';
  let closed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => (closed = true));
  socket.on('data', (bytes) => (received += bytes.toString()));
  return { socket, received: () => received, closed: () => closed };
}

test('open: bytes pass both ways, and the listener sees them first', async () => {
  const requests: string[] = [];
  proxy.onRequest = (bytes) => void requests.push(bytes.toString());
  const { socket, received } = client();
  socket.write('a');
  await eventually(() => expect(received()).toBe('a'));
  expect(requests).toEqual(['a']);
});

test('closed: connections are cut, and none is taken', async () => {
  const before = client();
  before.socket.write('a');
  await eventually(() => expect(before.received()).toBe('a'));
  proxy.state = 'closed';
  const after = client();
  await eventually(() => expect([before.closed(), after.closed()]).toEqual([true, true]));
});

test('silent: connections stay and nothing passes; open again, what was sent arrives', async () => {
  const before = client();
  before.socket.write('a');
  await eventually(() => expect(before.received()).toBe('a'));
  proxy.state = 'silent';
  const after = client();
  before.socket.write('b');
  after.socket.write('c');
  const witness = performance.now();
  await eventually(() => expect(performance.now() - witness).toBeGreaterThan(200));
  expect([notified, before.closed(), after.closed()]).toEqual(['a', false, false]);
  proxy.state = 'open';
  await eventually(() => expect([before.received(), after.received()]).toEqual(['ab', 'c']));
});

test('answerless: the engine gets the request, and its reply is cut off with the connection', async () => {
  proxy.state = 'answerless';
  const { socket, received, closed } = client();
  socket.write('a');
  await eventually(() => expect(closed()).toBe(true));
  expect([notified, received()]).toEqual(['a', '']);
});

test('answers that are delayed stay in order when the delay ends', async () => {
  const { socket, received } = client();
  proxy.delayMs = 200;
  socket.write('a');
  await eventually(() => expect(notified).toBe('a'));
  proxy.delayMs = 0;
  socket.write('b');
  await eventually(() => expect(notified).toBe('ab'));
  await eventually(() => expect(received()).toBe('ab'));
});

test('a client that does not read is sent only what sockets hold, and gets the rest when it reads again', async () => {
  const [chunk, chunks] = [Buffer.alloc(1_000_000), 100];
  let sent = 0;
  engine.removeAllListeners('connection');
  engine.on('connection', (socket) => {
    const send = (): void => void (sent < chunks && socket.write(chunk, () => (sent++, send())));
    socket.on('error', () => undefined);
    send();
  });
  const reader = connect(proxy.port, '127.0.0.1');
  reader.pause();
  let [before, same] = [0, 0];
  await eventually(() => {
    same = sent > 0 && sent === before ? same + 1 : 0;
    before = sent;
    expect(same).toBeGreaterThan(20);
  });
  expect(sent).toBeLessThan(chunks);
  let received = 0;
  reader.on('data', (bytes) => (received += bytes.length));
  reader.resume();
  await eventually(() => expect(received).toBe(chunks * chunk.length));
  reader.destroy();
});
