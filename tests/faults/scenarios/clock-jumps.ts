import type { Service } from '../rig/service.ts';
import { productScript, shiftedClock } from '../rig/settings.ts';
import { bothLogs, type Scenario } from '../stage/scenario.ts';

const hourMs = 3_600_000;

/** Ends the service in good order and starts it with a clock that can be set, or with the right one again. */
async function restart(service: Service, name: 'capture' | 'consumer', flags: readonly string[]): Promise<void> {
  await service.stop('SIGTERM');
  service.command = { script: productScript(name), flags };
  await service.start();
}

export const clockJumps: Scenario = {
  name: 'clock-jumps',
  number: 14,
  does: 'the clocks of capture and of the consumer jump an hour ahead, back, an hour behind, and back; not always both',
  logs: bothLogs,
  fullTier: ['embedded'],
  async run({ rig: { capture, consumer }, rounds, pause, faulted, comeIn, wrong }) {
    const flags = ['--import', shiftedClock];
    await restart(capture, 'capture', flags);
    await restart(consumer, 'consumer', flags);
    await rounds({ short: 1, long: 4 }, async (number) => {
      for (const hours of [1, 0, -1, 0]) {
        capture.report({ clockShiftMs: hours * hourMs });
        if (number % 2 === 0) consumer.report({ clockShiftMs: hours * hourMs });
        faulted();
        await comeIn(100);
        await pause(1_000);
      }
    });
    for (const service of [capture, consumer]) {
      if (service.log().includes('TimeoutNegativeWarning')) wrong(`${service.name} armed a timer in the past`);
    }
    await restart(capture, 'capture', []);
    await restart(consumer, 'consumer', []);
  },
};
