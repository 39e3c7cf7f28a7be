import { expect, test } from '@jest/globals';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import { readExceptions } from '@millrace/symbolication/exceptions/read-exceptions.ts';
import { resolveExceptions } from '@millrace/symbolication/exceptions/resolve-exceptions.ts';
import { failures } from '@millrace/symbolication/frames/failures.ts';
import { compileIndex } from '@millrace/symbolication/index/compile-index.ts';
import { openIndex } from '@millrace/symbolication/index/symbol-index.ts';
import { readBundle } from '@millrace/symbolication/testing/bundles.ts';
import { NoRoomError } from '../exceptions/symbols/compiled-symbols.ts';
import type { SymbolSet } from '../exceptions/symbols/symbol-sets.ts';
import { exceptionParts } from '../test/exception-parts.ts';
import type { StoredException } from './late-sql.ts';
import { resolvePage, type LateParts } from './resolve-page.ts';

const { bundle, map } = readBundle('rollup');
const compiledIndex = compileIndex(bundle, map);

/** Exceptions that each need a set of their own, whose symbols take so many bytes. */
function page(count: number, byteLength: number, changes: Partial<LateParts> = {}) {
  const raws = new Map<string, JsonObject>();
  const exceptions = Array.from({ length: count }, (_, index): StoredException => {
    const frame = { platform: 'web:javascript', chunk_id: `c${index}`, lineno: 1, colno: 66 };
    const sent = [{ type: 'Error', value: 'v', stacktrace: { frames: [frame] } }];
    const { exceptions: $exception_list, records } = resolveExceptions(
      readExceptions(sent, 'web', '1').exceptions,
      ({ chunkId = '' }) => failures.noMapForChunk(chunkId),
    );
    for (const { hash } of records) raws.set(hash, frame);
    return {
      uuid: `u${index}`,
      distinctId: 'd',
      place: ['1', '2'],
      happenedAt: '2026-11-20T00:00:00.000000Z',
      receivedAt: '2026-11-20T00:00:01.000000Z',
      text: JSON.stringify({ $exception_list }),
    };
  });
  const written: string[] = [];
  const unused = () => Promise.reject(new Error('unused'));
  const parts: LateParts = {
    clickhouse: {
      rows: unused,
      exceptions: unused,
      store: (rows) => Promise.resolve(void written.push(...rows.map(({ uuid }) => uuid))),
      run: () => Promise.resolve(),
      close: unused,
    },
    passes: {
      count: unused,
      begin: unused,
      next: unused,
      advance: unused,
      postpone: unused,
      end: unused,
      lowerFirstSeen: () => Promise.resolve(),
      rawFrames: (_, hashes) => Promise.resolve(new Map([...raws].filter(([hash]) => hashes.includes(hash)))),
    },
    sets: () => ({
      find: (names) =>
        Promise.resolve(
          new Map(
            names.map(({ projectId, ref }) => [
              `${projectId}:${ref}`,
              { projectId, ref, id: ref, storageKey: ref, release: null } satisfies SymbolSet,
            ]),
          ),
        ),
      record: () => Promise.resolve(),
    }),
    frames: exceptionParts().frames,
    exceptions: exceptionParts({
      compiled: {
        load: (_key, _projectId, take = () => true) =>
          take(byteLength)
            ? Promise.resolve(Object.defineProperty(openIndex(compiledIndex), 'byteLength', { value: byteLength }))
            : Promise.reject(new NoRoomError('there is no room')),
      },
    }),
    onFault: (error) => expect(error).toBeUndefined(),
    assertHeld: () => Promise.resolve(),
    ...changes,
  };
  const resolve = (isPatient: boolean) =>
    resolvePage(
      parts,
      { projectId: 1, day: '2026-11-20', exceptions },
      { isPatient, signal: new AbortController().signal },
    );
  return { resolve, written };
}

test('a page whose symbols take more than 64 MB together is divided', async () => {
  const { resolve, written } = page(30, 5_000_000);
  expect(await resolve(true)).toBe(30);
  expect(written.toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `u${index}`).toSorted());
});

test.each([
  ['of more than 64 MB each', 70_000_000, 30],
  ['as large as a batch may have', 250_000_000, 1],
])('sets %s are used', async (_name, bytes, count) => {
  const { resolve, written } = page(count, bytes);
  expect(await resolve(true)).toBe(count);
  expect(new Set(written).size).toBe(count);
});

test('symbols that do not fit are done without, also by who is patient', async () => {
  const { resolve, written } = page(3, 500_000_000);
  expect(await resolve(true)).toBe(0);
  expect(written).toEqual([]);
});

test('a storage that is away ends the page of who is patient', async () => {
  const { compiled } = exceptionParts();
  await expect(page(3, 1, { exceptions: exceptionParts({ compiled }) }).resolve(true)).rejects.toThrow(
    'cannot be read now',
  );
});
