import { lanes } from '@millrace/contracts/lanes.ts';

/** Everything that the consumer reads; the lane `dead-letter` waits for people. */
export const consumedLanes = lanes.filter((lane) => lane !== 'dead-letter');
