import { expect, test } from '@jest/globals';
import type { FrameRecord } from '@millrace/symbolication/frames/resolved-frame.ts';
import { BatchFrames } from './batch-frames.ts';
import type { StoredFrame } from './frame-store.ts';

const frame = (projectId: number, number: number): StoredFrame => ({
  projectId,
  record: { hash: String(number), part: 0, contents: {}, context: null, reference: null } as unknown as FrameRecord,
  symbolSetRef: null,
  symbolSetId: null,
});

test('a batch holds each frame once, none that is stored, and a bounded number of each project', () => {
  const frames = new BatchFrames({ isStored: ({ record }) => record.hash === '0' });
  for (let round = 0; round < 2; round++) for (let number = 0; number < 6_000; number++) frames.add(frame(1, number));
  frames.add(frame(2, 1));
  const counts = Map.groupBy(frames.all, ({ projectId }) => projectId);
  expect([counts.get(1)?.length, counts.get(2)?.length]).toEqual([5_000, 1]);
  expect(frames.all.some(({ record }) => record.hash === '0')).toBe(false);
});
