import { expect, test } from '@jest/globals';
import { createReadAhead } from './read-ahead.ts';

const limits = (bytesMax: number, rowsMax: number) => ({ rowsMax, bytesMax, lingerMs: 1, intervalMs: 2 });

test('what streams read ahead is bounded together, and the other lanes never take from main', () => {
  const readAhead = createReadAhead({
    main: limits(1_000_000, 50_000),
    others: limits(400_000, 5_000),
    exceptionBytesMax: 100_000,
    bytesMax: 8_000_000,
  });
  const [main, historical] = [readAhead.limitsOf('main'), readAhead.limitsOf('historical')];
  const leave = Array.from({ length: 8 }, () => readAhead.enter('main'));
  for (let count = 0; count < 10; count++) readAhead.enter(count % 2 === 0 ? 'historical' : 'overflow');
  expect([main.rowsMax, main.bytesMax]).toEqual([50_000, 500_000]);
  expect([historical.rowsMax, historical.bytesMax]).toEqual([5_000, 400_000]);
  const exceptions = readAhead.limitsOf('exceptions');
  expect([exceptions.rowsMax, exceptions.bytesMax]).toEqual([5_000, 100_000]);
  leave.slice(3).forEach((left) => left());
  expect(main.bytesMax).toBe(1_000_000);
});

test('a stream may always gather something', () => {
  const readAhead = createReadAhead({
    main: limits(16_000_000, 1),
    others: limits(1, 1),
    exceptionBytesMax: 1,
    bytesMax: 1_000_000,
  });
  for (let count = 0; count < 100; count++) readAhead.enter('main');
  expect(readAhead.limitsOf('main').bytesMax).toBe(256_000);
});
