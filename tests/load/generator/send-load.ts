import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from './load-order.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** Sends events to capture as fast as they are accepted, from a process that lives as long as that takes. */
export async function sendLoad(
  { local, capturePort }: SystemUnderTest,
  order: Omit<LoadOrder, 'port' | 'token'>,
): Promise<LoadResult> {
  const generator = startChild('generator/load-generator.ts');
  try {
    generator.post({ ...order, port: capturePort, token: local.projectToken });
    return await generator.result<LoadResult>();
  } finally {
    await generator.stop();
  }
}
