import { expect, test } from '@jest/globals';
import { describeUnknownAddress } from './unknown-address.ts';

test.each(['/i/v0/e/', '/e', '/batch/', '/capture/', '/i/v1/analytics/events', '/flags', '/array/phc_x/config'])(
  'an event that is sent to the API is told the address of capture: %s',
  (path) => {
    expect(describeUnknownAddress('http://127.0.0.1:8000', 'POST', path)).toBe(
      `Not found. This is the management API; events are sent to capture, at http://127.0.0.1:8000${path}`,
    );
    expect(describeUnknownAddress('', 'POST', path)).toMatch(/which has an address of its own\.$/);
  },
);

test('another address is named, however long it is', () => {
  expect(describeUnknownAddress('', 'GET', '/dashboard')).toBe('Not found. There is no such address: GET /dashboard');
  expect(describeUnknownAddress('', 'GET', `/${'x'.repeat(9_000)}`).length).toBeLessThan(300);
});
