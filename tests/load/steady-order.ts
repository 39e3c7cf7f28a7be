import type { RequestShape } from './load-order.ts';
import type { Schedule } from './schedule.ts';

/** What the steady generator is told to send: so many requests a second, whether those before were answered or not. */
export interface SteadyOrder extends RequestShape {
  port: number;
  token: string;
  schedule: Schedule;
}

/** What it answers when every event is acknowledged. */
export interface SteadyResult {
  /** When the first request was due: milliseconds since 1970, with fractions. */
  begunAtMs: number;
  /** What the uuids of its events begin with; their last twelve digits are hexadecimal numbers from 0 on, in the order of the schedule. */
  uuidMark: string;
  /** Milliseconds from the moment when a request was due until its acknowledgement, by request. */
  latenciesMs: Float64Array;
  /** Of these, what the generator itself was late, because it had no processor or worked on something else. */
  lateMs: Float64Array;
  /** From the first request until the last acknowledgement. */
  seconds: number;
  /** Requests that had to be sent again. */
  retries: number;
  /** Most connections at a time. */
  connections: number;
  /** Of the generator itself. */
  cpuSeconds: number;
}
