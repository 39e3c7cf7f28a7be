import { expect, test } from '@jest/globals';
import { sentOrder } from './frame-order.ts';

test.each([
  ['posthog-android', '3.55.9', true],
  ['posthog-android', '3.56.0', false],
  ['posthog-android', '4.0.0', false],
  ['posthog-android', '3.56.0-beta.1', true],
  ['posthog-android', undefined, true],
  ['posthog-android', 'latest', true],
  ['posthog-server', '2.9.0', false],
  ['posthog-flutter', '5.4.0', true],
  ['posthog-php', '4.11.1', false],
  ['posthog-go', '1.19.99', true],
  ['posthog-rs', '0.19.0', false],
  ['posthog-elixir', '2.13.0', false],
  ['posthog-java', '99.0.0', true],
  ['posthog-python', '1.0.0', false],
  ['web', '1.449.2', false],
  [undefined, undefined, false],
])('frames of %s %s are turned: %s', (lib, version, expected) => {
  expect(sentOrder(lib, version).areFramesTurned).toBe(expected);
});

test.each([
  ['posthog-python', '7.30.1', true],
  ['posthog-python', '7.31.0', false],
  ['posthog-python', null, true],
  ['posthog-node', '5.70.0', false],
])('the list of %s %s is turned: %s', (lib, version, expected) => {
  expect(sentOrder(lib, version).areExceptionsTurned).toBe(expected);
});
