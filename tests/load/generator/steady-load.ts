import { startChild } from '../child.ts';
import type { SteadyOrder, SteadyResult } from './steady-order.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Sends events to capture on a schedule, from a process that lives as long as that takes. */
export async function sendSteadily(
  { local, capturePort }: SystemUnderTest,
  order: Omit<SteadyOrder, 'port' | 'token'>,
): Promise<SteadyResult> {
  const generator = startChild('generator/steady-generator.ts');
  try {
    generator.post({ ...order, port: capturePort, token: local.projectToken });
    return await generator.result<SteadyResult>();
  } finally {
    await generator.stop();
  }
}
