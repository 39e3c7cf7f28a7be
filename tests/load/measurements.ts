import type { Measurement } from './measurement.ts';
import { backlogMeasurement } from './measure-backlog.ts';
import { captureMeasurement } from './measure-capture.ts';
import { endToEndMeasurement } from './measure-end-to-end.ts';
import { endpointRunMeasurement } from './measure-endpoint-run.ts';
import { timeToVisibleMeasurement } from './measure-time-to-visible.ts';

/** Everything that `npm run bench` measures, in this order. A new measurement is a file of its own and a line here. */
export const measurements: readonly Measurement[] = [captureMeasurement, backlogMeasurement, endToEndMeasurement, timeToVisibleMeasurement, endpointRunMeasurement];
