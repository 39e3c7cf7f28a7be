import { startChild } from '../child.ts';
import { newProject } from '../management/runs-of-project.ts';
import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { median, quantile } from '../report/statistics.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import type { LlmCase } from './llm-case.ts';
import { addTraceEvents, eventsOfTrace, traceDays } from './trace-events.ts';

const eventsUsual = 1_000_000;
const reads = { warmUp: 20, measured: 200 };
const byMapReads = 3;
const barMs = 50;

/** The result of the script. */
interface Read {
  /** Milliseconds of each read of a trace. */
  traceMs: number[];
  /** The same of single events. */
  eventMs: number[];
}

/** Time of a trace, and of an event, by its id among many: by the functions that the routes call, without HTTP before them. */
export const findTraceCase: LlmCase = {
  name: 'find-trace',
  async measure(system: SystemUnderTest, bench: Bench): Promise<Finding> {
    const events = bench.lengths.events ?? eventsUsual;
    const projectId = await newProject(system.local, 'Traces');
    await addTraceEvents(system, projectId, events, bench);
    const traces = traceIds(events, reads.warmUp + reads.measured);
    const child = startChild('../../services/management-api/src/test/trace-reads.ts');
    child.post({
      ...system.tenantLogin,
      headers: system.tenantHeadersOf(projectId),
      projectId,
      traces,
      ...reads,
      eventsOfTrace,
      days: traceDays,
    });
    const { traceMs, eventMs } = await child.result<Read>();
    await child.stop();
    const byMapMs = await timesByMap(system, projectId, traces.slice(0, byMapReads));
    const [p50, p95, event, byMap] = [median(traceMs), quantile(traceMs, 0.95), median(eventMs), median(byMapMs)];
    const shown = `${figure(p50)} / ${figure(p95)} ms`;
    bench.say(`a trace: ${shown}; by the map: ${figure(byMap)} ms; an event: ${figure(event)} ms`);
    const among = `${events.toLocaleString('en').replaceAll(',', ' ')} events of ${traceDays} days`;
    return {
      lines: [
        {
          what: `llm: a trace of ${eventsOfTrace} events by its id, among ${among}, p50 / p95`,
          millrace: shown,
          beside: `by the map of properties: ${figure(byMap)} ms`,
          ratio: `${figure(p50 / byMap)} times`,
          verdicts: [judge(p50, { name: 'p50', most: barMs, unit: ' ms' })],
        },
        {
          what: `llm: an event by its uuid, among ${among}, p50`,
          millrace: `${figure(event)} ms`,
          beside: '',
          ratio: '',
        },
      ],
      figures: {
        llm_trace_p50_ms: p50,
        llm_trace_p95_ms: p95,
        llm_trace_by_map_ms: byMap,
        llm_event_p50_ms: event,
      },
    };
  },
};

/** Ids from all over the list of traces, the same in each run. */
function traceIds(events: number, count: number): string[] {
  const traces = Math.floor(events / eventsOfTrace);
  return Array.from({ length: count }, (_, index) => `trace-${Math.floor(((index * 0.618_034) % 1) * traces)}`);
}

/** The same rows without the column and its index. */
async function timesByMap(
  { asTenant, tenantHeadersOf }: SystemUnderTest,
  projectId: number,
  traces: readonly string[],
): Promise<number[]> {
  const took: number[] = [];
  for (const trace of traces) {
    const begun = performance.now();
    await asTenant.send({
      sql: `SELECT uuid, event, timestamp, properties_text FROM analytics.events
        WHERE event IN ('$ai_trace', '$ai_span', '$ai_generation') AND properties['$ai_trace_id'] = {trace:String}`,
      params: { trace },
      headers: tenantHeadersOf(projectId),
    });
    took.push(performance.now() - begun);
  }
  return took;
}
