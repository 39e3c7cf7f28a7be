import type { Measurement } from './report/measurement.ts';
import { backlogMeasurement } from './consumer/measure-backlog.ts';
import { burstMeasurement } from './consumer/measure-burst.ts';
import { captureKafkaMeasurement } from './capture/measure-capture-kafka.ts';
import { captureMeasurement } from './capture/measure-capture.ts';
import { endToEndMeasurement } from './consumer/measure-end-to-end.ts';
import { endpointsMeasurement } from './management/measure-endpoints.ts';
import { errorsMeasurement } from './errors/measure-errors.ts';
import { fairnessMeasurement } from './management/measure-fairness.ts';
import { insightsMeasurement } from './insights/measure-insights.ts';
import { llmMeasurement } from './llm/measure-llm.ts';
import { managementMeasurement } from './management/measure-management.ts';
import { memoryMeasurement } from './measure-memory.ts';
import { outageMeasurement } from './consumer/measure-outage.ts';
import { symbolSetsMeasurement } from './errors/measure-symbol-sets.ts';
import { timeToVisibleMeasurement } from './consumer/measure-time-to-visible.ts';

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
  insightsMeasurement,
  llmMeasurement,
  symbolSetsMeasurement,
  errorsMeasurement,
  fairnessMeasurement,
  managementMeasurement,
  memoryMeasurement,
];
