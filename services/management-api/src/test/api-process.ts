import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startedMessage } from '@millrace/runtime/process/run-process.ts';
import { compileCache } from '@millrace/testkit/config.ts';

/** The management API as it is deployed: its main.ts with settings from the environment. */
export interface ApiProcess {
  url: string;
  /** Ends it at once, as `kill -9` does. Resolves when it is gone. */
  kill(): Promise<void>;
  output(): string;
}

/** Starts a process, which is ready when this resolves. @throws with its output when it ends before */
export async function startApiProcess(environment: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../main.ts')],
    { env: { ...compileCache(), ...environment, API_PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)));
  const exited = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    child.on('message', (message) => message === startedMessage && resolve());
    void exited.then(() => reject(new Error(`the management API ended before it had started:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
    output: () => output,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
