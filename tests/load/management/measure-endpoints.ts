import { measureCachedRuns } from './cached-runs.ts';
import { addGeneratedEvents, generatedEvents } from '../generated-events.ts';
import { measureIncrementalBuilds } from './incremental-builds.ts';
import { measureLargeResult } from './large-result.ts';
import { type Finding, joined, type Measurement } from '../report/measurement.ts';
import { measureMaterializedRuns } from './materialized-runs.ts';
import { measurePropertyReads } from './property-reads.ts';
import { measureQueryCompiles } from './query-compiles.ts';
import { eventsBeside, measureRunsBesideBuilds } from './runs-beside-builds.ts';
import { newProject } from './runs-of-project.ts';
import { withSystem } from '../system-under-test.ts';
import { measureUncachedRuns } from './uncached-runs.ts';

/**
 * Cost of runs: cached and computed ones, those of tables, those beside builds, properties of 1,000,000 events, a large result; and of parsing
 * and printing queries.
 */
export const endpointsMeasurement: Measurement = {
  name: 'endpoints',
  measure: (bench) =>
    withSystem(bench.stop, async (system): Promise<Finding> => {
      const uncached = await measureUncachedRuns(system, bench);
      const beside = await newProject(system.local, 'Beside');
      await addGeneratedEvents(system, bench, [
        { projectId: system.local.projectId, events: generatedEvents },
        { projectId: beside, events: eventsBeside },
      ]);
      const reads = await measurePropertyReads(system, bench);
      const stored = await measureMaterializedRuns(system, bench);
      const builds = await measureRunsBesideBuilds(system, beside, bench);
      const rebuilds = await measureIncrementalBuilds(system, await newProject(system.local, 'Rebuilt'), bench);
      const cached = await measureCachedRuns(system, bench);
      const large = await measureLargeResult(system, bench);
      return joined(cached, uncached, stored, builds, rebuilds, reads, large, measureQueryCompiles(bench));
    }),
};
