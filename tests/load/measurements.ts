import type { Measurement } from './measurement.ts';
import { backlogMeasurement } from './measure-backlog.ts';
import { burstMeasurement } from './measure-burst.ts';
import { captureKafkaMeasurement } from './measure-capture-kafka.ts';
import { captureMeasurement } from './measure-capture.ts';
import { endToEndMeasurement } from './measure-end-to-end.ts';
import { endpointsMeasurement } from './measure-endpoints.ts';
import { fairnessMeasurement } from './measure-fairness.ts';
import { managementMeasurement } from './measure-management.ts';
import { memoryMeasurement } from './measure-memory.ts';
import { outageMeasurement } from './measure-outage.ts';
import { timeToVisibleMeasurement } from './measure-time-to-visible.ts';

/** Everything that `npm run bench` measures, in this order. A new measurement is a file of its own and a line here. */
export const measurements: readonly Measurement[] = [
  captureMeasurement,
  captureKafkaMeasurement,
  endToEndMeasurement,
  burstMeasurement,
  backlogMeasurement,
  outageMeasurement,
  timeToVisibleMeasurement,
  endpointsMeasurement,
  fairnessMeasurement,
  managementMeasurement,
  memoryMeasurement,
];
