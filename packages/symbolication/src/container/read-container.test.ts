import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SymbolDataError } from '../symbol-data-error.ts';
import { containerOf, scriptAndMap } from '../testing/containers.ts';
import { readContainer } from './read-container.ts';

const payload = scriptAndMap('let a=1;', '{"version":3}');
const read = { kind: 'source map', script: 'let a=1;', map: '{"version":3}' };

test.each([
  ['version 1', { version: 1 }],
  ['version 2, not compressed', { compression: 0 }],
  ['version 2 in zstd', { compression: 1 }],
])('script and map of %s', (_name, options) => {
  expect(readContainer(containerOf(payload, options))).toEqual(read);
});

test.each([
  [3, 'Hermes map'],
  [4, 'ProGuard mapping'],
])('text of type %i, which is a %s', (type, kind) => {
  const text = Buffer.from('ä text');
  for (const options of [{ version: 1 }, { compression: 0 }, { compression: 1 }])
    expect(readContainer(containerOf(text, { type, ...options }))).toEqual({ kind, text: 'ä text' });
  const error = new SymbolDataError('container data', `the ${kind} is not UTF-8`);
  expect(() => readContainer(containerOf(Buffer.of(0xe4), { type }))).toThrow(error);
});

test.each([
  [5, 'dSYM'],
  [6, 'ELF'],
])('type %i is named %s and its payload not read', (type, kind) => {
  expect(readContainer(containerOf(Buffer.of(1, 2, 3), { type, compression: 0 }))).toEqual({ kind });
});

test.each([
  ['other bytes', Buffer.from('PK\u0003\u0004'), 'it does not begin as a container does'],
  ['nothing', Buffer.alloc(0), 'it does not begin as a container does'],
  ['the magic alone', Buffer.from('posthog_error_tracking'), 'it ends within its head'],
  ['no compression', containerOf(payload).subarray(0, 30), 'it ends within its head'],
  ['another version', containerOf(payload, { version: 3 }), 'version 3 is not known'],
  ['another type', containerOf(payload, { type: 1 }), 'type 1 is not known'],
  ['another compression', containerOf(payload, { compression: 2 }), 'compression 2 is not known'],
  ['no zstd', Buffer.concat([containerOf(payload).subarray(0, 31), payload]), 'zstd cannot decompress it'],
  ['half of zstd', containerOf(payload).subarray(0, -5), 'zstd cannot decompress it'],
  ['no lengths', containerOf(Buffer.alloc(3)), 'it ends before the script'],
  ['no map', containerOf(payload.subarray(0, 16)), 'it ends before the map'],
  ['a length beyond the end', containerOf(Buffer.alloc(8, 0xff)), 'it ends within the script'],
  ['half a map', containerOf(payload.subarray(0, -1)), 'it ends within the map'],
  ['more than a map', containerOf(Buffer.concat([payload, Buffer.of(0)])), 'something follows the map'],
  ['Latin-1', containerOf(Buffer.concat([Buffer.of(1, 0, 0, 0, 0, 0, 0, 0, 0xe4)])), 'the script is not UTF-8'],
])('%s is an error that says so', (_name, bytes, reason) => {
  expect(() => readContainer(bytes)).toThrow(new SymbolDataError('container data', reason));
});

test.each([
  ['a bomb in zstd', { compression: 1 }],
  ['as much in plain bytes', { compression: 0 }],
  ['as much in version 1', { version: 1 }],
])('%s is given up at the limit', (_name, options) => {
  const large = scriptAndMap(' '.repeat(100_000), '{}');
  const error = new SymbolDataError('container data', 'more than 100000 bytes when decompressed');
  expect(() => readContainer(containerOf(large, options), 100_000)).toThrow(error);
});

test('whatever bytes follow a head, they are read or are a SymbolDataError', () => {
  const options = fc.record({ version: fc.constantFrom(1, 2), compression: fc.constantFrom(0, 1) });
  const property = fc.property(fc.uint8Array({ maxLength: 64 }), options, (bytes, given) => {
    const failure = failureOf(() => readContainer(containerOf(bytes, given)));
    expect(failure === undefined || failure instanceof SymbolDataError).toBe(true);
  });
  fc.assert(property);
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
