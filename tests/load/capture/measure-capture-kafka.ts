import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineStartError } from '@millrace/engines/engine-error.ts';
import { startKafka } from '@millrace/engines/kafka.ts';
import type { CaptureOptions } from './compare-capture.ts';
import { givenBrokers } from '../config.ts';
import { measureCapture } from './measure-capture.ts';
import type { Bench, Finding, Measurement } from '../report/measurement.ts';
import { withSystem } from '../system-under-test.ts';

const onKafka: CaptureOptions & { p99MsMax: number } = {
  rounds: 3,
  bars: { single: { most: 1.65, stretch: 1.45 }, batch: { most: 1.8, stretch: 1.5 }, gzip: { most: 1.7 } },
  residentMbMax: 250,
  p99MsMax: 100,
  title: 'capture on Kafka',
  prefix: 'capture_kafka',
};

/** As the measurement `capture`, with the log in Kafka (8 partitions, acks=all): at the brokers that KAFKA_BROKERS names, else at one of its own. */
export const captureKafkaMeasurement: Measurement = {
  name: 'capture-kafka',
  async measure(bench) {
    const given = givenBrokers();
    if (given !== null) return measureOn(given, bench);
    const folder = await mkdtemp(join(tmpdir(), 'millrace-broker-'));
    try {
      const broker = await startKafka({ dataDir: join(folder, 'broker'), say: bench.say });
      try {
        return await measureOn(broker.address, bench);
      } finally {
        await broker.stop();
      }
    } catch (error) {
      if (!(error instanceof EngineStartError)) throw error;
      const sentence = `capture-kafka (capture with its log in Kafka): ${error.message.split('\n')[0] ?? ''}`;
      bench.say(`skipped: ${sentence}`);
      return { lines: [], figures: {}, skipped: [sentence] };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const measureOn = (brokers: string, bench: Bench): Promise<Finding> =>
  withSystem(bench.stop, (system) => measureCapture(system, onKafka, bench), { args: ['--kafka', brokers] });
