import { expect, test } from '@jest/globals';
import { readExceptions } from './read-exceptions.ts';
import { referencesOf } from './references-of.ts';

test('references of all frames, each once, with those of other platforms', () => {
  const place = { platform: 'web:javascript', lineno: 1, colno: 2 };
  const frames = [
    { ...place, chunk_id: 'c', filename: 'https://a.example/b.js' },
    { ...place, chunk_id: 'c', filename: 'https://a.example/b.js', colno: 3 },
    { ...place, filename: 'https://a.example/b.js:1:2' },
    { ...place, filename: 'b.js' },
    { platform: 'java', map_id: 'm', function: 'a' },
    { platform: 'hermes', chunk_id: 'h', colno: 4 },
    { platform: 'python', filename: 'a.py', lineno: 1 },
  ];
  const list = [
    { type: 'A', stacktrace: { frames } },
    { type: 'B', stacktrace: { frames } },
    { type: 'C', stacktrace: { type: 'resolved', frames: [{ platform: 'custom', chunk_id: 'x' }] } },
  ];
  expect(referencesOf(readExceptions(list, 'web', '1').exceptions)).toEqual([
    { chunkId: 'c', url: 'https://a.example/b.js' },
    { chunkId: undefined, url: 'https://a.example/b.js' },
    { chunkId: 'm', url: undefined },
    { chunkId: 'h', url: undefined },
  ]);
});
