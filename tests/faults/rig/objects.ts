import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineProcess, spawnEngine } from '@millrace/engines/engine-process.ts';
import { s3Command, s3Environment, s3IsReady } from '@millrace/object-storage/testing/start-s3.ts';
import { startTcpProxy } from '@millrace/testkit/tcp-proxy.ts';
import { type Engine, engine } from './engines.ts';

/** The object storage of a rig. */
export interface Objects {
  readonly kind: 'folder' | 's3';
  /** Settings of services. */
  readonly settings: Record<string, string>;
  /** From now on nothing can be read or written: the server is killed, the folder cannot be opened. */
  goAway(): Promise<void>;
  /** It is there again, with all that was in it. May be called when it is. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** A folder below `folder`. Services know it by a link, which leads to a file while it is away: also root cannot open what is below. */
export function makeObjectFolder(folder: string): Objects {
  const [link, objects, none] = ['storage', 'objects', 'no-folder'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(objects);
  writeFileSync(none, '');
  const leadTo = (target: string): Promise<void> => {
    symlinkSync(target, `${link}.next`);
    renameSync(`${link}.next`, link);
    return Promise.resolve();
  };
  void leadTo(objects);
  return {
    kind: 'folder',
    settings: { STORAGE_DIR: link, ...signing() },
    goAway: () => leadTo(none),
    comeBack: () => leadTo(objects),
    close: () => Promise.resolve(),
  };
}

/** versitygw, which services reach through its line. */
export async function startOwnS3(folder: string): Promise<Objects> {
  const objects = join(folder, 'objects');
  mkdirSync(objects);
  const server: Engine = await engine(await startTcpProxy(), async (port): Promise<EngineProcess> => {
    const started = await spawnEngine({
      name: 'versitygw',
      ...s3Command(port, objects),
      environment: { PATH: process.env['PATH'] },
      logFile: join(folder, 'versitygw.log'),
      stopSignal: 'SIGTERM',
    });
    await s3IsReady(port);
    return started;
  });
  let isThere = true;
  return {
    kind: 's3',
    settings: { ...s3Environment(server.line.port), ...signing() },
    async goAway() {
      isThere = false;
      await server.kill();
    },
    async comeBack() {
      if (!isThere) await server.start();
      isThere = true;
    },
    close: () => server.close(),
  };
}

const signing = (): Record<string, string> => ({ STORAGE_SIGNING_SECRET: randomBytes(16).toString('hex') });
