import { judge } from '../report/bars.ts';
import { startChild } from '../child.ts';
import { count, figure, spread } from '../report/format.ts';
import type { CachedRun } from './cached-run.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import type { RunOrder } from '../generator/run-generator.ts';
import type { ScheduledResult } from '../generator/send-on-schedule.ts';
import { quantiles, spreadOf } from '../report/statistics.ts';

/** Half of what one core is to take. */
const schedule = { requestsPerSecond: 2_500, seconds: 4 };
const rounds = 5;
const p99BarMs = 5;

/** Milliseconds, round by round. */
interface Measured {
  p50: number[];
  p99: number[];
  late: number[];
}

/**
 * How long a cached run takes at half of the load that one core is to take, on a schedule that does not wait for replies, beside the
 * bare server under the same schedule, in alternating rounds. Every time counts from the moment when the run was due.
 */
export async function measureScheduledRuns({ us, bare, replyBytes }: CachedRun, { say }: Bench): Promise<Finding> {
  const generator = startChild('generator/run-generator.ts');
  const send = async (
    { port, head, body }: Pick<RunOrder, 'port' | 'head' | 'body'>,
    { p50, p99, late }: Measured,
  ): Promise<void> => {
    generator.post({ port, head, body, schedule } satisfies RunOrder);
    const { latenciesMs, lateMs, retries } = await generator.result<ScheduledResult>();
    if (retries > 0) throw new Error(`${retries} runs on the schedule were refused`);
    const [middle, most] = quantiles(latenciesMs, [0.5, 0.99]) as [number, number];
    p50.push(middle);
    p99.push(most);
    late.push(...quantiles(lateMs, [0.99]));
  };
  const [ours, theirs] = [noneYet(), noneYet()];
  for (let round = 0; round < rounds; round++) {
    await send(us, ours);
    await send(bare, theirs);
  }
  await generator.stop();
  const shown = ({ p50, p99 }: Measured): string => `${spread(spreadOf(p50), 'ms')} / ${spread(spreadOf(p99), 'ms')}`;
  const what = `endpoints: cached run of 50 rows (${replyBytes} bytes), ${count(schedule.requestsPerSecond)} runs/s on a schedule`;
  say(
    `${what}, p50 / p99: ${shown(ours)}; node:http, same bytes: ${shown(theirs)}; the generator itself late by ${figure(spreadOf(ours.late).median)} ms (p99)`,
  );
  const p99 = spreadOf(ours.p99).median;
  return {
    lines: [
      {
        what: `${what}, p50 / p99`,
        millrace: shown(ours),
        beside: `node:http, same bytes: ${shown(theirs)}`,
        ratio: '',
        verdicts: [judge(p99, { name: 'p99', most: p99BarMs, unit: ' ms' })],
      },
    ],
    figures: {
      endpoints_cached_scheduled_p50_ms: spreadOf(ours.p50).median,
      endpoints_cached_scheduled_p99_ms: p99,
      endpoints_cached_scheduled_bare_p99_ms: spreadOf(theirs.p99).median,
      endpoints_cached_scheduled_late_p99_ms: spreadOf(ours.late).median,
    },
  };
}

const noneYet = (): Measured => ({ p50: [], p99: [], late: [] });
