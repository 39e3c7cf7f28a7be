import { measureAcknowledgement } from './acknowledgement.ts';
import { compareCapture, type CaptureOptions } from './compare-capture.ts';
import { joined, type Bench, type Finding, type Measurement } from '../report/measurement.ts';
import { type SystemUnderTest, withSystem } from '../system-under-test.ts';

const onEmbeddedLog: CaptureOptions & { p99MsMax: number } = {
  rounds: 4,
  bars: { single: { most: 1.5, stretch: 1.35 }, batch: { most: 1.8, stretch: 1.5 }, gzip: { most: 1.7 } },
  residentMbMax: 250,
  p99MsMax: 50,
  title: 'capture',
  prefix: 'capture',
};

/** Cost of capture on the embedded log (4 partitions), as a multiple of a server that only parses the body. */
export const captureMeasurement: Measurement = {
  name: 'capture',
  measure: (bench) => withSystem(bench.stop, (system) => measureCapture(system, onEmbeddedLog, bench)),
};

/** Compares, then measures the time of a reply at half of the rate that was reached. The consumer is held meanwhile. */
export function measureCapture(
  system: SystemUnderTest,
  options: CaptureOptions & { p99MsMax: number },
  bench: Bench,
): Promise<Finding> {
  return system.withHeld('consumer', async () => {
    const compared = await compareCapture(system, options, bench);
    const perSecond = Math.round(compared.singlesPerSecond / 2 / 100) * 100;
    return joined(compared, await measureAcknowledgement(system, { ...options, perSecond, seconds: 6 }, bench));
  });
}
