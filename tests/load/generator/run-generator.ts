// Sends one request again and again on a schedule that does not wait for replies, in a process of its own; an order after the other.
import { carryOutOrders } from './carry-out-orders.ts';
import type { Schedule } from './schedule.ts';
import { type ScheduledResult, sendOnSchedule } from './send-on-schedule.ts';

export interface RunOrder {
  port: number;
  head: Uint8Array;
  body: Uint8Array;
  schedule: Schedule;
}

carryOutOrders(({ head, body, port, schedule }: RunOrder): Promise<ScheduledResult> =>
  sendOnSchedule({ port, schedule, bodyBytesMax: 0, request: () => ({ head, body }) }),
);
