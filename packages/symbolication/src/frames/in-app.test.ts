import { expect, test } from '@jest/globals';
import { rawFrame, webFrame } from '../testing/raw-frames.ts';
import { isInApp, isOwnSdk } from './in-app.ts';

test.each([
  [{ in_app: false }, 'src/cart.js', true],
  [{}, 'webpack:///./node_modules/react/index.js', false],
  [{}, 'src/my_node_modules/a.js', true],
  [{ filename: 'chrome-extension://abc/a.js' }, 'src/cart.js', false],
  [{}, undefined, true],
  [{ in_app: undefined }, undefined, true],
  [{ in_app: false }, undefined, false],
  [{ filename: 'https://shop.example/node_modules/a.js' }, undefined, false],
  [{ filename: 'moz-extension://abc/a.js' }, undefined, false],
  [{ filename: '<anonymous>', lineno: undefined, colno: undefined }, undefined, false],
  [{ filename: '<anonymous>' }, undefined, true],
])('a web frame %j with source %s: %s', (members, source, expected) => {
  expect(isInApp(webFrame(members), source)).toBe(expected);
});

test.each([
  [{ platform: 'python', filename: 'shop/cart.py', in_app: true }, true],
  [{ platform: 'python', filename: 'shop/cart.py', in_app: false }, false],
  [{ platform: 'python', filename: 'shop/cart.py' }, true],
  [
    { platform: 'python', filename: 'requests/api.py', abs_path: '/venv/lib/python3.12/site-packages/requests/api.py' },
    false,
  ],
  [{ platform: 'python', filename: 'json/decoder.py', abs_path: '/usr/lib/python3.12/json/decoder.py' }, false],
  [{ platform: 'python', filename: 'a.py', abs_path: '/usr/lib/python3/dist-packages/a.py', in_app: true }, false],
  [{ platform: 'node:javascript', filename: 'node:internal/process/task_queues', in_app: true }, false],
  [{ platform: 'node:javascript', filename: 'C:\\app\\node_modules\\pg\\client.js', in_app: true }, false],
  [{ platform: 'ruby', filename: 'app/models/cart.rb' }, true],
])('frame %j: %s', (members, expected) => {
  expect(isInApp(rawFrame(members), undefined)).toBe(expected);
});

test.each([
  ['webpack:///./node_modules/posthog-js/dist/module.js', true],
  ['/app/node_modules/@posthog/core/index.js', true],
  ['/venv/lib/python3.12/site-packages/posthog/client.py', true],
  ['/static/array.full.js', true],
  ['src/posthog.ts', false],
  ['/assets/array.js', false],
])('%s is of an SDK: %s', (file, expected) => {
  expect(isOwnSdk(file)).toBe(expected);
});
