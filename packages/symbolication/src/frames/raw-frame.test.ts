import { expect, test } from '@jest/globals';
import { readFrame } from './raw-frame.ts';

test.each([[null], ['at f (a.js:1:2)'], [1], [[]]])('%j is no frame', (value) => {
  expect(readFrame(value)).toBe(null);
});

test('chunk ids have two names', () => {
  expect([readFrame({ chunk_id: 'a' })?.chunkId, readFrame({ chunkId: 'b' })?.chunkId]).toEqual(['a', 'b']);
});

test('members of a wrong type count as missing', () => {
  const sent = {
    platform: 1,
    function: {},
    filename: '',
    lineno: '1',
    colno: 1.5,
    in_app: 'true',
    pre_context: 'a',
    lang: [],
  };
  expect(readFrame(sent)).toEqual({
    platform: 'custom',
    isSynthetic: false,
    isClientResolved: false,
    preContext: [],
    postContext: [],
    sent,
  });
});

test('long names and files are cut', () => {
  const frame = readFrame({ function: 'f'.repeat(5_000), module: 'm'.repeat(5_000), filename: 'a'.repeat(5_000) });
  expect([frame?.functionName?.length, frame?.module?.length, frame?.filename?.length]).toEqual([1_001, 1_001, 2_049]);
});
