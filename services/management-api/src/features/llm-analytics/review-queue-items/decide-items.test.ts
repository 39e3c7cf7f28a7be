import { describe, expect, test } from '@jest/globals';
import { decideItems, type Surroundings } from './decide-items.ts';

// contract/llm-surveys 2.2.

const around: Surroundings = {
  queues: ['q1', 'q2'],
  reviewed: ['done'],
  pending: [{ traceId: 'waits', queueId: 'q1' }],
};
const item = (queueId: string, traceId: string) => ({ queueId, traceId });

describe('new items', () => {
  test.each<[ReturnType<typeof item>[], (string | null)[]]>([
    [[], []],
    [[item('q1', 'new')], [null]],
    [[item('q3', 'new')], ['queue_id: Review queue not found.']],
    [[item('q3', 'done')], ['queue_id: Review queue not found.']],
    [[item('q1', 'done')], ['trace_id: This trace is already reviewed and cannot be added to a queue.']],
    [[item('q1', 'waits')], ['trace_id: This trace is already pending in this queue.']],
    [[item('q2', 'waits')], ['trace_id: This trace is already pending in another queue.']],
    [
      [item('q3', 'new'), item('q1', 'new'), item('q1', 'new'), item('q2', 'new')],
      [
        'queue_id: Review queue not found.',
        null,
        'trace_id: This trace is already pending in this queue.',
        'trace_id: This trace is already pending in another queue.',
      ],
    ],
  ])('%j: %j', (items, refusals) => {
    expect(decideItems(items, around).map((error) => error && `${error.details.attr}: ${error.message}`)).toEqual(
      refusals,
    );
  });
});
