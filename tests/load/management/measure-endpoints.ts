import { measureCachedRuns } from './cached-runs.ts';
import { addGeneratedEvents } from '../generated-events.ts';
import { measureLargeResult } from './large-result.ts';
import { type Finding, joined, type Measurement } from '../report/measurement.ts';
import { measurePropertyReads } from './property-reads.ts';
import { measureQueryCompiles } from './query-compiles.ts';
import { withSystem } from '../system-under-test.ts';
import { measureUncachedRuns } from './uncached-runs.ts';

/** Cost of runs: cached and computed ones, properties of 1,000,000 events, a large result; and of parsing and printing queries. */
export const endpointsMeasurement: Measurement = {
  name: 'endpoints',
  measure: (bench) =>
    withSystem(bench.stop, async (system): Promise<Finding> => {
      const uncached = await measureUncachedRuns(system, bench);
      await addGeneratedEvents(system, bench);
      const reads = await measurePropertyReads(system, bench);
      const cached = await measureCachedRuns(system, bench);
      return joined(cached, uncached, reads, await measureLargeResult(system, bench), measureQueryCompiles(bench));
    }),
};
