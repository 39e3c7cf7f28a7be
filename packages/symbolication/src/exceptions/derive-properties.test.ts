import { expect, test } from '@jest/globals';
import { resolvedException, resolvedFrame } from '../testing/exceptions.ts';
import { deriveProperties, serverProperties } from './derive-properties.ts';

test('types and messages of all exceptions, sources and functions of frames in the application, each once', () => {
  const frames = [
    resolvedFrame(),
    resolvedFrame({ line: 9 }),
    resolvedFrame({ in_app: false, source: 'node_modules/a.js', resolved_name: 'library' }),
    {
      ...resolvedFrame({ resolved: false, source: '/bundle.js', mangled_name: 'e' }),
      resolved_name: undefined as never,
    },
  ];
  const exceptions = [
    resolvedException(frames, { mechanism: { handled: true } }),
    resolvedException(undefined, { value: 'b' }),
  ];
  expect(deriveProperties(exceptions)).toEqual({
    $exception_types: ['TypeError'],
    $exception_values: ['it failed', 'b'],
    $exception_sources: ['src/cart.js', '/bundle.js'],
    $exception_functions: ['add', 'e'],
    $exception_handled: true,
  });
});

test('handled is what the first exception says', () => {
  const first = resolvedException();
  expect(deriveProperties([first, resolvedException([], { mechanism: { handled: true } })]).$exception_handled).toBe(
    false,
  );
});

test('each list has at most 100 values', () => {
  const many = Array.from({ length: 150 }, (_, index) =>
    resolvedFrame({ source: `${index}.js`, resolved_name: `f${index}` }),
  );
  const exceptions = many.map((frame, index) => resolvedException([frame], { type: `E${index}`, value: `${index}` }));
  const { $exception_handled: _handled, ...lists } = deriveProperties(exceptions);
  expect(Object.values(lists).map(({ length }) => length)).toEqual([100, 100, 100, 100]);
});

test('no client can send a property that is derived', () => {
  expect(serverProperties).toEqual(expect.arrayContaining(Object.keys(deriveProperties([]))));
});
