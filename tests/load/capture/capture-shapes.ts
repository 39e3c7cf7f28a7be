import type { Bar } from '../report/bars.ts';
import type { RequestShape } from '../generator/load-order.ts';

/** A kind of request that capture is compared by. */
export interface CaptureShape {
  what: string;
  /** In the names of figures. */
  key: 'single' | 'batch' | 'gzip';
  shape: RequestShape;
  connections: number;
  requests: number;
  beside: string;
}

const persons = 1_024;
const batch: Omit<CaptureShape, 'what' | 'key'> = {
  shape: { path: '/batch/', eventsPerRequest: 100, persons },
  connections: 8,
  requests: 1_200,
  beside: 'node:http + JSON.parse',
};

/** How SDKs send: single events of 1 KB, batches of 100 of them (97 KB), and those compressed. */
export const captureShapes: readonly CaptureShape[] = [
  {
    what: 'single 1 KB events, 256 connections',
    key: 'single',
    shape: { path: '/i/v0/e/', eventsPerRequest: 1, persons },
    connections: 256,
    requests: 20_000,
    beside: 'node:http + JSON.parse',
  },
  { ...batch, what: 'batches of 100 such events, 8 connections', key: 'batch' },
  {
    ...batch,
    what: 'such batches in gzip, 8 connections',
    key: 'gzip',
    shape: { ...batch.shape, gzip: true },
    beside: 'node:http + gunzip + JSON.parse',
  },
];

/** Times the CPU of the baseline, for each kind of request. */
export type CaptureBars = Readonly<Record<CaptureShape['key'], Bar>>;
