import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { prepareRequest } from './prepared-request.ts';

const target = { port: 8000, token: 'phc_token' };
const batch = { path: '/batch/', eventsPerRequest: 100, persons: 10 } as const;

describe('a prepared request has the bytes of its options', () => {
  test('its head names its path, its length and how it is packed', () => {
    const { head, body } = prepareRequest(batch, target, 0);
    expect(head.toString()).toMatch(/^POST \/batch\/ HTTP\/1\.1\r\n/);
    expect(head.toString()).toContain(`\r\ncontent-length: ${body.bytes.length}\r\n`);
    expect(head.toString()).not.toContain('content-encoding');
    expect(head.toString().endsWith('\r\n\r\n')).toBe(true);
  });

  test('in gzip it is the same batch, with uuids that differ from those of the next one', () => {
    const uuids = [0, 100].flatMap((first) => {
      const { head, body } = prepareRequest({ ...batch, gzip: true }, target, first);
      expect(head.toString()).toContain(`\r\ncontent-encoding: gzip\r\ncontent-length: ${body.bytes.length}\r\n`);
      return (JSON.parse(gunzipSync(body.bytes).toString()) as { batch: { uuid: string }[] }).batch.map(
        ({ uuid }) => uuid,
      );
    });
    expect([uuids.length, new Set(uuids).size]).toEqual([200, 200]);
  });
});
