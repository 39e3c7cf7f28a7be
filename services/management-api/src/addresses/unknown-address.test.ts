import { expect, test } from '@jest/globals';
import { describeUnknownAddress } from './unknown-address.ts';

const paths = ['/api/projects/:project_id/query'];

test.each(['/i/v0/e/', '/e', '/batch/', '/capture/', '/i/v1/analytics/events', '/flags', '/array/phc_x/config'])(
  'an event that is sent to the API is told the address of capture: %s',
  (path) => {
    expect(describeUnknownAddress({ captureUrl: 'http://127.0.0.1:8000', paths }, 'POST', path)).toBe(
      `This is the management API. Events are sent to capture, at http://127.0.0.1:8000${path}`,
    );
    expect(describeUnknownAddress({ captureUrl: null, paths }, 'POST', path)).toBe(
      'This is the management API. Events are sent to capture, which has an address of its own.',
    );
  },
);

test('another address is named, however long it is', () => {
  expect(describeUnknownAddress({ captureUrl: null, paths }, 'GET', '/dashboard')).toBe(
    'There is no such address: GET /dashboard',
  );
  expect(describeUnknownAddress({ captureUrl: null, paths }, 'GET', `/${'x'.repeat(9_000)}`).length).toBeLessThan(300);
});

test.each([
  ['/api/projects', 'Projects are listed at /api/organizations/@current/projects/.'],
  ['/api/projects/7/events/', 'Events are read with SQL: POST /api/projects/7/query/.'],
  ['/api/environments/@current/persons/abc', 'Persons are read with SQL: POST /api/environments/@current/query/.'],
  ['/api/event', 'Events are read with SQL: POST /api/projects/@current/query/.'],
  ['/api/projects/7/insights/trend', 'A query is saved as an endpoint: POST /api/projects/7/endpoints/.'],
  ['/api/projects/7/feature_flags/', 'Feature flags are not offered.'],
])('a list of PostHog’s is told what there is in its place: %s', (path, sentence) =>
  expect(describeUnknownAddress({ captureUrl: null, paths }, 'GET', path)).toBe(
    `There is no such address: GET ${path}. ${sentence}`,
  ),
);

test('one that is nearly an address is told that one', () =>
  expect(describeUnknownAddress({ captureUrl: null, paths }, 'POST', '/api/projects/7/querry')).toBe(
    'There is no such address: POST /api/projects/7/querry. Did you mean /api/projects/7/query?',
  ));
