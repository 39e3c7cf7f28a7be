import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { resolvedException as exception, resolvedFrame as frame } from '../testing/exceptions.ts';
import { fingerprintOf } from './fingerprint.ts';

const unresolved = (members = {}) => frame({ resolved: false, ...members });
const library = (members = {}) => frame({ in_app: false, source: 'node_modules/a.js', ...members });
const of = (...exceptions: ReturnType<typeof exception>[]): string => fingerprintOf(exceptions, undefined);

test('the hash of version 1 stays: issues hang on it', () => {
  const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length, 0, 0, 0), Buffer.from(value)]);
  const bytes = [Buffer.of(1), ...['TypeError', '1', 'resolved', 'add', 'src/cart.js'].map(text)];
  expect(of(exception([frame()]))).toBe(createHash('sha512').update(Buffer.concat(bytes)).digest('hex'));
});

test.each([
  [
    'another line, column, chunk and message',
    [exception([frame({ line: 1, column: 1, raw_id: 'b/0' })], { value: 'b' })],
  ],
  ['another mangled name', [exception([frame({ mangled_name: 'q' })])]],
  ['frames of libraries around', [exception([library(), frame(), library()])]],
  ['unresolved frames around', [exception([frame(), unresolved()])]],
])('the same with %s', (_name, exceptions) => {
  expect(of(...exceptions)).toBe(of(exception([frame()])));
});

test('others differ', () => {
  const all = [
    [exception([frame()])],
    [exception([frame()], { type: 'RangeError' })],
    [exception([frame({ resolved_name: 'sum' })])],
    [exception([frame({ source: 'src/b.js' })])],
    [exception([frame(), frame()])],
    [exception([frame()]), exception([frame()])],
    [exception([unresolved()])],
    [exception([unresolved({ line: 7 })])],
    [exception([unresolved({ column: 8 })])],
    [exception([unresolved({ lang: 'python' })])],
    [exception([unresolved({ mangled_name: 'f' })])],
    [exception([library({ source: 'node_modules/b.js' })])],
    [exception([])],
    [exception([], { value: '2' })],
    [exception([frame({ resolved_name: '' })])],
  ];
  expect(new Set(all.map((exceptions) => of(...exceptions))).size).toBe(all.length);
});

test('without frames in the application the one that crashed counts', () => {
  expect(of(exception([library({ resolved_name: 'a' }), library()]))).toBe(of(exception([library()])));
});

test('without frames the message counts', () => {
  expect(of(exception())).toBe(of(exception([])));
  expect(of(exception())).not.toBe(of(exception(undefined, { value: 'other' })));
});

test('a client may say it itself, in up to 64 characters', () => {
  const exceptions = [exception([frame()])];
  const long = 'x'.repeat(65);
  expect(fingerprintOf(exceptions, 'checkout')).toBe('checkout');
  expect(fingerprintOf(exceptions, long.slice(1))).toBe(long.slice(1));
  expect(fingerprintOf(exceptions, long)).toBe(createHash('sha512').update(long).digest('hex'));
  for (const none of ['', 1, null, ['a']]) expect(fingerprintOf(exceptions, none)).toBe(of(...exceptions));
});
