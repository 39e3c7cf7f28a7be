import { expect, test } from '@jest/globals';
import { keepResolved } from './keep-resolved.ts';

test('a frame in our form is kept, with its id', () => {
  const sent = {
    raw_id: 'abc/0',
    mangled_name: 'f',
    line: 3,
    column: 0,
    source: 'a.dart',
    module: 'shop',
    in_app: false,
    resolved_name: 'Cart.total',
    lang: 'dart',
    resolved: false,
    resolve_failure: 'none',
    synthetic: true,
    suspicious: true,
    code_variables: {},
  };
  expect(keepResolved(sent)).toEqual({ frame: sent, record: null });
});

test('a frame without an id gets one by what it names', () => {
  const ids = [
    { source: 'a', line: 1 },
    { source: 'a', line: 2 },
    { source: 'a', line: 1, in_app: false },
  ].map((sent) => keepResolved(sent).frame.raw_id);
  expect(ids[0]).toMatch(/^[\da-f]{128}\/0$/);
  expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([false, true]);
});

test('members of a wrong type are left out', () => {
  const { raw_id: _id, ...frame } = keepResolved({ line: '3', source: 1, resolved_name: '', lang: null }).frame;
  expect(frame).toEqual({
    mangled_name: '',
    in_app: true,
    lang: 'custom',
    resolved: true,
    synthetic: false,
    suspicious: false,
  });
});
