import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { shownNetwork } from '@millrace/runtime/bodies/network.ts';
import { parseAddresses } from './client-address.ts';
import { senderOf } from './sender.ts';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('definition of one sender when memory for bodies is short', () => {
  const proxies = parseAddresses('10.0.0.0/8,fd00::/8');
  test.each<[string, string | undefined, string | undefined, boolean, string]>([
    ['an IPv4 address', '203.0.113.9', undefined, true, '203.0.113.9'],
    ['the same on a socket for both', '::ffff:203.0.113.9', undefined, true, '203.0.113.9'],
    ['a /64 of IPv6', '2001:db8:1:2:3:4:5:6', undefined, true, '2001:db8:1:2::/64'],
    ['a short form of it', '2001:db8::7', undefined, true, '2001:db8:0:0::/64'],
    ['of a link', 'fe80::1%eth0', undefined, true, 'fe80:0:0:0::/64'],
    ['anybody may send the header', '203.0.113.9', '198.51.100.1', true, '203.0.113.9'],
    ['nobody is trusted', '10.0.0.1', '198.51.100.1', false, '10.0.0.1'],
    ['behind a proxy, what it saw', '10.0.0.1', '198.51.100.1', true, '198.51.100.1'],
    ['not what the client invented', '10.0.0.1', '192.0.2.77, 198.51.100.1', true, '198.51.100.1'],
    ['behind two proxies', '10.0.0.1', '192.0.2.77, 198.51.100.1, 10.0.0.9', true, '198.51.100.1'],
    ['rubbish from the proxy: the proxy', '10.0.0.1', '198.51.100.1, unknown', true, '10.0.0.1'],
    ['only proxies: the proxy', '10.0.0.1', '10.0.0.2', true, '10.0.0.1'],
    ['no header', '10.0.0.1', undefined, true, '10.0.0.1'],
    ['a long header', '10.0.0.1', `${'1.2.3.4, '.repeat(1_500)}198.51.100.1`, true, '198.51.100.1'],
    ['gone', undefined, undefined, true, ''],
  ])('%s', (_name, socket, forwarded, trusting, expected) => {
    expect(senderOf(request(socket, forwarded), trusting ? proxies : null)).toBe(expected);
  });

  test.each([
    ['203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['', 'unknown'],
  ])('logs show %s as %s', (sender, shown) => {
    expect(shownNetwork(sender)).toBe(shown);
  });
});
