import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { clickhouseCheck } from './health-checks.ts';

test('a ClickHouse that accepts the connection and sends nothing is reported as not responding', async () => {
  const silent = createServer((socket) => void socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const client = createClickhouse({
    url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    user: 'x',
    password: 'x',
  });
  try {
    await expect(Promise.resolve(clickhouseCheck(client, {})())).rejects.toThrow('no response for 0.7 s');
  } finally {
    await client.close();
    silent.close();
  }
});
