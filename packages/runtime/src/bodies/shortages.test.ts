import { expect, test } from '@jest/globals';
import { createShortages } from './shortages.ts';

test('many shortages make one line in ten seconds, with all of them counted and no address in it', () => {
  let nowMs = 0;
  const lines: object[] = [];
  const shortages = createShortages(
    { warn: (fields: object) => void lines.push(fields) } as Parameters<typeof createShortages>[0],
    () => nowMs,
  );
  const shortage = { bodies: 2, bytes: 1_000, senders: 2, largest: { sender: '203.0.113.9', bytes: 900 } };
  for (let times = 0; times < 5; times++) shortages.report(shortage);
  nowMs = 10_001;
  shortages.report(shortage);
  expect(lines).toEqual([
    { bodies: 2, bytes: 1_000, senders: 2, largestSender: '203.0.113.0/24', largestSharePercent: 90 },
    { bodies: 10, bytes: 5_000, senders: 2, largestSender: '203.0.113.0/24', largestSharePercent: 90 },
  ]);
});
