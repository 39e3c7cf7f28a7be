import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type KafkaEngine, startKafka } from '@millrace/engines/kafka.ts';
import { freePort } from '@millrace/engines/ports.ts';

/** A Kafka broker of a test, which may die. */
export interface Broker {
  readonly address: string;
  /** Ends it, by kill -9 unless told otherwise; resolves when it is gone. */
  end(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it with its data at its address. */
  startAgain(): Promise<void>;
  /** Ends it in good order and removes its data. */
  destroy(): Promise<void>;
}

/** Starts a broker with its data in the folder. */
export async function startBroker(folder: string): Promise<Broker> {
  const port = await freePort();
  const dataDir = join(folder, 'broker');
  const start = (): Promise<KafkaEngine> => startKafka({ dataDir, port, startsQuickly: true, heapMb: 384 });
  let engine = await start();
  const end = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    process.kill(engine.pid, signal);
    await engine.exited;
  };
  return {
    address: engine.address,
    end,
    async startAgain() {
      engine = await start();
    },
    async destroy() {
      await engine.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
