import { residentMb } from '../../../support/processes.ts';
import { createHttpClient } from '../../http-client.ts';
import type { SystemUnderTest } from '../../system-under-test.ts';

/** The consumer while some work was done. */
interface Watched<Result> {
  result: Result;
  /** How late timers of its event loop were, p99 and longest. */
  loopP99Ms: number;
  loopMaxMs: number;
  /** Most resident memory, looked at twice a second. */
  residentMb: number;
}

/** The monitor counts from one call of its timer to the next. */
const monitorEveryMs = 10;

export async function watchConsumer<Result>(
  system: SystemUnderTest,
  work: () => Promise<Result>,
): Promise<Watched<Result>> {
  const http = createHttpClient(system.local.operationsUrls.consumer);
  // Each scrape begins the counts anew.
  const scrape = async (): Promise<string> => (await http.send({ method: 'GET', path: '/metrics' })).toString();
  await scrape();
  let resident = 0;
  const look = (): void => void (resident = Math.max(resident, ...system.pidsOf('consumer').map(residentMb)));
  const timer = setInterval(look, 500);
  try {
    const result = await work();
    look();
    const text = await scrape();
    const late = (name: string): number =>
      Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:\\{.*\\})? (.*)$`, 'm').exec(text)?.[1]) * 1_000 -
      monitorEveryMs;
    return { result, loopP99Ms: late('p99'), loopMaxMs: late('max'), residentMb: resident };
  } finally {
    clearInterval(timer);
    http.close();
  }
}
