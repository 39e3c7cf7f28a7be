import { expect, test } from '@jest/globals';
import { failures } from '../frames/failures.ts';
import { compileIndex } from '../index/compile-index.ts';
import { openIndex } from '../index/symbol-index.ts';
import { readBundle } from '../testing/bundles.ts';
import { readExceptions } from './read-exceptions.ts';
import { resolveExceptions } from './resolve-exceptions.ts';

const { bundle, map } = readBundle('rollup');
const index = openIndex(compileIndex(bundle, map));
const filename = 'https://shop.example/bundle.js';
const frame = (colno: number) => ({
  platform: 'web:javascript',
  filename,
  function: 'e',
  lineno: 1,
  colno,
  in_app: true,
});

test('an event of a browser: its stack is resolved, and the rest stays', () => {
  const mechanism = { handled: false, type: 'onerror', exception_id: 1, parent_id: 0, source: 'cause' };
  const list = [
    {
      type: 'RangeError',
      value: 'a',
      mechanism,
      thread_id: 4,
      stacktrace: { type: 'raw', frames: [frame(1032), frame(66)] },
    },
  ];
  const { exceptions, records } = resolveExceptions(readExceptions(list, 'web', '1').exceptions, () => index);
  expect(exceptions).toMatchObject([
    {
      type: 'RangeError',
      value: 'a',
      mechanism,
      thread_id: 4,
      stacktrace: {
        type: 'resolved',
        frames: [
          { resolved_name: 'addBadItem', source: 'scenarios.js', line: 6 },
          { resolved_name: 'add', source: 'cart.js', line: 6 },
        ],
      },
    },
  ]);
  expect(records.map(({ contents }) => contents.resolved_name)).toEqual(['addBadItem', 'add']);
  expect(JSON.stringify(exceptions)).not.toContain('junk_drawer');
});

test('a frame that an event has many times has one record', () => {
  const list = [{ type: 'A', stacktrace: { frames: [frame(66), frame(66), frame(66)] } }];
  const { exceptions, records } = resolveExceptions(readExceptions(list, 'web', '1').exceptions, () => failures.late);
  expect([exceptions[0]?.stacktrace?.frames.length, records.length]).toEqual([3, 1]);
});

test('members of a wrong type do not come back', () => {
  const sent = readExceptions(
    [{ type: 'A', value: 1, module: 2, mechanism: 'x', stacktrace: 'at f' }],
    'web',
    '1',
  ).exceptions;
  expect(resolveExceptions(sent, () => index).exceptions).toEqual([{ type: 'A', value: '' }]);
});
