import { describe, expect, test } from '@jest/globals';
import { heldMemory } from '@millrace/runtime/testing/held-memory.ts';
import { TokenMemory } from '../projects/token-memory.ts';
import { readV1Headers } from '../v1/v1-request.ts';
import { parseBody } from './parse-body.ts';
import { requestToken } from './request-token.ts';

function tokenOf(sent: unknown): string {
  const { envelope, events } = parseBody(Buffer.from(JSON.stringify(sent)));
  return requestToken(envelope, events);
}

const event = { event: 'a', distinct_id: 'b' };
const spacedOut = (token: string, blanks: number): string => `${' '.repeat(blanks)}${token}${'\n'.repeat(blanks)}`;

// Tokens of no project are remembered too: a stranger could hold as much memory as they can send, a gigabyte with a megabyte of gzip.
describe('blanks around a token take no memory once it is read', () => {
  test.each<[string, number, (token: string) => string]>([
    ['of a batch', 200_000, (token) => tokenOf({ api_key: spacedOut(token, 200_000), batch: [event] })],
    ['of an event', 200_000, (token) => tokenOf([{ ...event, token: spacedOut(token, 200_000) }])],
    ['in its properties', 200_000, (token) => tokenOf({ ...event, properties: { token: spacedOut(token, 200_000) } })],
    [
      'in a header',
      7_000,
      (token) =>
        readV1Headers({
          authorization: `Bearer ${Buffer.from(spacedOut(token, 7_000)).toString()}`,
          'content-type': 'application/json',
        }).token,
    ],
  ])('%s', (_, blanks, read) => {
    const memory = new TokenMemory(60_000);
    read('phc_warm_up_of_what_reads_it');
    const before = heldMemory().heapUsed;
    for (let at = 0; at < 40; at++) {
      const token = read(`phc_nobody_has_this_token_${at}`);
      expect(token).toBe(`phc_nobody_has_this_token_${at}`);
      memory.store(token, undefined);
    }
    expect(heldMemory().heapUsed - before).toBeLessThan(20 * blanks);
    expect(memory.counts().unknown).toBe(40);
  });
});
