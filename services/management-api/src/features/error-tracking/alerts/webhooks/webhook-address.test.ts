import { describe, expect, test } from '@jest/globals';
import { isAllowedAddress, urlFault } from './webhook-address.ts';

// contract/decisions 142.

describe('an address', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
    '%s is called',
    (address) => {
      expect(isAllowedAddress(address, false)).toBe(true);
    },
  );

  test.each([
    ...[
      '127.0.0.1',
      '127.1.2.3',
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '0.0.0.0',
      '100.64.0.1',
      '255.255.255.255',
    ],
    ...[
      '224.0.0.1',
      '::1',
      '::',
      'fc00::1',
      'fd12::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '::7f00:1',
    ],
  ])('%s is private: it is called when that is allowed', (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([false, true]);
  });

  test.each([
    '169.254.169.254',
    '169.254.0.1',
    'fe80::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fd00:ec2::254',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '192.0.0.192',
    'example.com',
    '',
  ])('%s is never called', (address) => {
    expect([isAllowedAddress(address, false), isAllowedAddress(address, true)]).toEqual([false, false]);
  });
});

describe('a URL', () => {
  test.each(['https://example.com/hook?a=1', 'http://8.8.8.8:8080/', 'https://[2606:4700:4700::1111]/'])(
    '%s is taken',
    (url) => {
      expect(urlFault(url, false)).toBeUndefined();
    },
  );

  test.each([
    ...[
      '',
      'example.com',
      'ftp://example.com',
      'file:///etc/passwd',
      'https://ann:secret@example.com',
      `https://example.com/${'x'.repeat(2_000)}`,
    ],
    ...[
      'http://127.0.0.1',
      'http://127.1',
      'http://2130706433',
      'http://0x7f.1',
      'http://[::1]',
      'http://[::ffff:7f00:1]',
      'http://localhost:8001',
      'http://a.localhost',
      'http://169.254.169.254/latest',
    ],
  ])('%s is refused', (url) => {
    expect(urlFault(url, false)).toEqual(expect.stringMatching(/\.$/));
  });

  test('of this machine is taken where that is allowed, of its cloud never', () => {
    expect(urlFault('http://127.0.0.1:9000', true)).toBeUndefined();
    expect(urlFault('http://localhost:9000', true)).toBeUndefined();
    expect(urlFault('http://169.254.169.254', true)).toContain('link-local');
  });
});
