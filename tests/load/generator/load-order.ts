import type { PayloadOptions } from './payloads.ts';

/** Order to the load generator. */
export interface LoadOrder extends RequestShape {
  port: number;
  token: string;
  /** Requests in all, shared by the connections. */
  requests: number;
  connections: number;
  /** True: a refused request is sent again with the same uuids a second later, as SDKs do. Without it a refusal ends the load. */
  resend?: boolean;
}

/** Form of a request. */
export interface RequestShape extends Omit<PayloadOptions, 'token'> {
  path: '/i/v0/e/' | '/batch/';
  /** Events of a request; 1 means the form of a single event. */
  eventsPerRequest: number;
  /** Bodies are compressed, once, before the load begins: then their uuids come again. */
  gzip?: boolean;
}

/** Result after the last reply. */
export interface LoadResult {
  /** When the first request went out: milliseconds since 1970, with fractions. */
  begunAtMs: number;
  seconds: number;
  /** CPU of the generator itself. */
  cpuSeconds: number;
  /** How often a request was refused and went out again. */
  retries: number;
}
