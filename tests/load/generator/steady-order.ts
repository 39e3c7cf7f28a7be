import type { RequestShape } from './load-order.ts';
import type { Schedule } from './schedule.ts';
import type { ScheduledResult } from './send-on-schedule.ts';

/** Order to the steady generator: requests on a schedule, whether those before have a reply or not. */
export interface SteadyOrder extends RequestShape {
  port: number;
  token: string;
  schedule: Schedule;
}

/** Result when every event is acknowledged. */
export interface SteadyResult extends ScheduledResult {
  /** Prefix of the uuids of its events; their last twelve digits are hexadecimal numbers from 0 on, in the order of the schedule. */
  uuidMark: string;
}
