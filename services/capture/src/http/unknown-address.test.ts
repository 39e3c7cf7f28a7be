import { expect, test } from '@jest/globals';
import { describeUnknownAddress } from './unknown-address.ts';

test.each(['/api/projects/1/query', '/api/projects/1/endpoints/x/run', '/docs', '/api/schema'])(
  'a call of the API that is sent to capture is told the address: %s',
  (path) => {
    const begin = `There is no such address: POST ${path}. This is capture, which takes events.`;
    expect(describeUnknownAddress('http://127.0.0.1:8001', 'POST', path)).toBe(
      `${begin} Send this request to the management API, at http://127.0.0.1:8001${path}`,
    );
    expect(describeUnknownAddress(null, 'POST', path)).toBe(
      `${begin} Send this request to the management API, which has an address of its own.`,
    );
  },
);

test.each(['/i/v0/e/batch/', '/i/v0/e/i/v0/e/', '/batch/e/', '/i/v0/e/flags/', '/e/array/phc_1/config.js'])(
  'an SDK whose host has a path is told to leave it out: %s',
  (path) => expect(describeUnknownAddress(null, 'POST', path)).toContain('Give the SDK the address alone'),
);

test.each(['/captures', '/events/', '/i/v0/', '/v2/batch/'])('another one is not: %s', (path) =>
  expect(describeUnknownAddress(null, 'POST', path)).toContain('Send one to /i/v0/e/'),
);

test('another address is named, however long it is, with where events are sent', () => {
  expect(describeUnknownAddress(null, 'POST', '/captures')).toBe(
    'There is no such address: POST /captures. This is capture, which takes events. Send one to /i/v0/e/, or many to /batch/.',
  );
  expect(describeUnknownAddress(null, 'GET', `/${'x'.repeat(9_000)}`).length).toBeLessThan(400);
});
