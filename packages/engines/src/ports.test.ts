import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { freePort, isPortFree } from './ports.ts';

describe('freePort', () => {
  test('passes over a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await isPortFree(port)).toBe(false);
    expect(await freePort(port)).toBeGreaterThan(port);
    server.close();
  });

  test('gives some port when none is preferred, and the preferred one when it is free', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThan(1_023);
    expect(await freePort(port)).toBe(port);
  });
});
