import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { freePort, isPortFree } from '@millrace/engines/ports.ts';
import { chooseServicePorts, type KnownPorts, onFreePort, portsToStore } from './ports.ts';

const none = { capture: null, 'management-api': null, consumer: null };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function take(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
}

async function freePorts(): Promise<KnownPorts> {
  return {
    clients: { capture: await freePort(), 'management-api': await freePort() },
    operations: { capture: await freePort(), 'management-api': await freePort(), consumer: await freePort() },
  };
}

/** The first of five consecutive free ports. */
async function consecutiveFreePorts(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const first = await freePort();
    const free = await Promise.all([1, 2, 3, 4].map((more) => isPortFree(first + more)));
    if (free.every(Boolean)) return first;
  }
  throw new Error('no five ports in a row are free');
}

test('a data folder gets its former ports, without a message', async () => {
  const known = await freePorts();
  const lines: string[] = [];
  const ports = await chooseServicePorts(none, known, (line) => lines.push(line));
  expect(ports).toEqual({ ...known, fixed: [] });
  expect(lines).toEqual([]);
});

test('a taken port is reported with the one used instead, and stays stored for the next start', async () => {
  const known = await freePorts();
  await take(known.clients.capture);
  const lines: string[] = [];
  const ports = await chooseServicePorts(none, known, (line) => lines.push(line));
  expect(ports.clients.capture).toBeGreaterThan(known.clients.capture);
  expect(lines).toEqual([
    `port ${known.clients.capture} is taken: capture uses ${ports.clients.capture} instead (CAPTURE_PORT sets another one)`,
  ]);
  expect(portsToStore(ports, known)).toEqual(known);
});

test('a service that must move does not take the wanted port of another', async () => {
  const first = await consecutiveFreePorts();
  const known: KnownPorts = {
    clients: { capture: first, 'management-api': first + 1 },
    operations: { capture: first + 3, 'management-api': first + 4, consumer: first + 2 },
  };
  await take(first);
  const lines: string[] = [];
  const ports = await chooseServicePorts(none, known, (line) => lines.push(line));
  expect(ports.clients['management-api']).toBe(first + 1);
  expect(ports.operations).toEqual(known.operations);
  expect(lines).toHaveLength(1);
});

test('a port that is taken after it was chosen is reported too', async () => {
  const known = await freePorts();
  const lines: string[] = [];
  const ports = await chooseServicePorts(none, known, () => {});
  let starts = 0;
  await onFreePort(
    'management-api',
    ports,
    (line) => lines.push(line),
    async () => {
      if ((starts += 1) > 1) return;
      await take(known.operations['management-api']);
      throw new Error('address in use');
    },
  );
  expect(lines).toEqual([
    `port ${known.operations['management-api']} is taken: management-api (operators) uses ${ports.operations['management-api']} instead`,
  ]);
});

test('the first start decides the ports of a folder; the port of a variable replaces the stored one', async () => {
  const first = { ...(await freePorts()), fixed: [] };
  const { fixed, ...kept } = first;
  expect(portsToStore(first, undefined)).toEqual(kept);
  const asked = await freePort();
  const next = await chooseServicePorts({ ...none, capture: asked }, kept, () => {});
  expect(portsToStore(next, kept)).toEqual({ ...kept, clients: { ...kept.clients, capture: asked } });
});
