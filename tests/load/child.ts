import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cpuSeconds } from './process-cpu.ts';

/** A process of the bench's own, with messages over its channel. */
export interface Child {
  /** The next thing it says. @throws when it ends instead */
  result<T>(): Promise<T>;
  post(message: object): void;
  /** CPU seconds that it has used so far. */
  cpuSeconds: () => number;
  stop(): Promise<void>;
}

/** Starts a script by its path from this folder, with this process' environment or the one given. It ends when this process is gone. */
export function startChild(script: string, environment?: Readonly<Record<string, string>>): Child {
  const child = fork(join(import.meta.dirname, script), {
    execArgv: [],
    ...(environment && { env: { ...environment } }),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  return {
    result: async <T>() => {
      const [said] = (await Promise.race([
        once(child, 'message'),
        ended.then(([code]: unknown[]) => {
          throw new Error(`${script} ended (${String(code)})`);
        }),
      ])) as [T];
      return said;
    },
    post: (message) => void child.send(message),
    cpuSeconds: () => cpuSeconds(child.pid ?? 0),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
