import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { AddressError, clientAddress, parseAddresses } from './client-address.ts';

const request = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage;

describe('the address of the client (contract/capture 1.12)', () => {
  const proxies = parseAddresses('10.0.0.0/8, 192.168.1.7,fd00::/8');
  test.each<[string, string | undefined, string | undefined, boolean, string | undefined]>([
    ['the socket', '203.0.113.9', undefined, true, '203.0.113.9'],
    ['an IPv4 client on a socket for both', '::ffff:203.0.113.9', undefined, true, '203.0.113.9'],
    ['the header counts for nothing without trusted proxies', '10.0.0.1', '198.51.100.1', false, '10.0.0.1'],
    ['nor from somebody else', '203.0.113.9', '198.51.100.1', true, '203.0.113.9'],
    ['from a trusted proxy it does', '10.0.0.1', '198.51.100.1', true, '198.51.100.1'],
    ['its leftmost public entry', '::ffff:10.0.0.1', '192.168.0.4, 198.51.100.1, 203.0.113.1', true, '198.51.100.1'],
    ['IPv6', 'fd00::1', '2001:db8::5', true, '2001:db8::5'],
    ['with the port of an IPv4 client', '10.0.0.1', '10.0.0.9:80, 198.51.100.1:40123', true, '198.51.100.1'],
    ['with the port of an IPv6 client', '10.0.0.1', '[2001:db8::5]:40123', true, '2001:db8::5'],
    ['rubbish in it is passed over', '10.0.0.1', 'unknown, <x>, 198.51.100.1', true, '198.51.100.1'],
    ['nothing public in it: the socket', '10.0.0.1', '10.0.0.9', true, '10.0.0.1'],
    ['gone', undefined, undefined, true, undefined],
  ])('%s', (_name, socket, forwarded, trusting, expected) => {
    expect(clientAddress(request(socket, forwarded), trusting ? proxies : null)).toBe(expected);
  });

  test.each(['10.0.0.0/33', 'example.com', '10.0.0', '1.2.3.4/x', '1.2.3.4/8/8', '::1/129'])(
    '%s is no address',
    (text) => {
      expect(() => parseAddresses(text)).toThrow(AddressError);
    },
  );
});
