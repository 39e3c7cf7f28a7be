import { compareCapture } from './compare-capture.ts';
import type { Measurement } from './measurement.ts';
import { withSystem } from './system-under-test.ts';

/** What capture costs on the embedded log (8 partitions), as times what a server that only parses the body costs. */
export const captureMeasurement: Measurement = {
  name: 'capture',
  measure: (bench) =>
    withSystem(bench.stop, (system) =>
      system.withHeld('consumer', () =>
        compareCapture(
          system,
          {
            rounds: 5,
            bars: { single: { most: 1.5, stretch: 1.35 }, batch: { most: 1.8, stretch: 1.5 }, gzip: { most: 1.7 } },
            residentMbMax: 250,
            title: 'capture',
            prefix: 'capture',
          },
          bench,
        ),
      ),
    ),
};
