import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { temporaryFolder } from './canary-setup.ts';
import { runningEngine } from './data-dir-claim.ts';
import { kafkaJars } from './kafka-jars.ts';
import { startKafka, type KafkaEngine } from './kafka.ts';
import { endsWithin, identifyProcess } from '@millrace/runtime/process-identity.ts';

const missing = ['java', 'mvn'].filter((command) => spawnSync(command, ['-version']).status !== 0);
// Continuous integration has both: infra/ci/prepare sees to it.
const describeKafka = missing.length === 0 ? describe : describe.skip;

describeKafka(
  `the local Kafka broker${missing.length === 0 ? '' : ` (skipped: this machine has no ${missing.join(' and no ')})`}`,
  () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let engine: KafkaEngine;
    const start = (dataDir: string, port?: number): Promise<KafkaEngine> =>
      startKafka({ dataDir: join(folder.path, dataDir), port, startsQuickly: true, heapMb: 256 });

    beforeAll(async () => {
      folder = await temporaryFolder();
      engine = await start('kafka');
    }, 90_000);
    afterAll(async () => {
      await engine.stop();
      await folder.remove();
    }, 30_000);

    test('listens on the loopback interface, and its claim says which process it is', async () => {
      expect(engine.address).toMatch(/^127\.0\.0\.1:\d+$/);
      expect((await runningEngine(join(folder.path, 'kafka')))?.pid).toBe(engine.pid);
      expect(await runningEngine(join(folder.path, 'elsewhere'))).toBeUndefined();
    });

    test('one process owns the data folder: a second start is a clear error', async () => {
      await expect(start('kafka')).rejects.toThrow(/process \d+ runs it on .* already/);
    });

    test('a port that another program has is a clear error', async () => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      await expect(start('other', port)).rejects.toThrow(`port ${port} is taken`);
      other.close();
    });

    test('jars that are others than those of the lock are refused, though they are there already', async () => {
      const folderOfJars = await kafkaJars(() => undefined);
      const copied = join(folder.path, 'kafka', basename(folderOfJars));
      await cp(folderOfJars, copied, { recursive: true });
      expect(await kafkaJars(() => undefined, folder.path)).toBe(copied);
      await appendFile(join(copied, 'kafka-clients-4.3.1.jar'), ' ');
      await expect(kafkaJars(() => undefined, folder.path)).rejects.toThrow(
        /not those of infra\/kafka\/jars\.json: kafka-clients-4\.3\.1\.jar has another hash\. Remove/,
      );
      await rm(copied, { recursive: true });
    }, 30_000);

    test('killed (-9) and started again it is the same cluster', async () => {
      const idOf = async (): Promise<string | undefined> =>
        /cluster\.id=(.*)/.exec(await readFile(join(folder.path, 'kafka/data/meta.properties'), 'utf8'))?.[1];
      const id = await idOf();
      process.kill(engine.pid, 'SIGKILL');
      expect((await engine.exited).signal).toBe('SIGKILL');
      engine = await start('kafka');
      expect(id).toMatch(/^[\w-]{22}$/);
      expect(await idOf()).toBe(id);
    }, 90_000);

    test('ends with its starter, even by kill -9', async () => {
      const program = `
      import { startKafka } from ${JSON.stringify(join(import.meta.dirname, 'kafka.ts'))};
      console.log((await startKafka({ dataDir: process.argv[1], startsQuickly: true, heapMb: 256 })).pid);
    `;
      const starter = spawn(process.execPath, ['--input-type=module', '-e', program, join(folder.path, 'abandoned')]);
      const [line] = (await once(starter.stdout, 'data')) as [Buffer];
      const abandoned = await identifyProcess(Number(line.toString()));
      if (abandoned === undefined) throw new Error('the broker did not run');
      starter.kill('SIGKILL');
      expect(await endsWithin(abandoned, 10_000)).toBe(true);
    }, 90_000);
  },
);

test('without Java the error says what to install', async () => {
  const folder = await temporaryFolder();
  const program = `
    import { startKafka } from ${JSON.stringify(join(import.meta.dirname, 'kafka.ts'))};
    await startKafka({ dataDir: process.argv[1] }).catch((error) => console.log(error.message));
  `;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program, join(folder.path, 'kafka')], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  expect(run.stdout).toMatch(/there is no `java` on this machine\. Install Java 17 or newer and Maven/);
  await folder.remove();
});
