import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of the bench's own, told and asked over its channel. */
export interface Child {
  pid: number;
  /** The next thing it says. @throws when it ends instead */
  answer<T>(): Promise<T>;
  tell(message: object): void;
  stop(): Promise<void>;
}

/** Starts a script of this folder. It ends by itself when this process is gone. */
export function startChild(script: string): Child {
  const child = fork(join(import.meta.dirname, script), { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    answer: async <T>() => {
      const [said] = (await Promise.race([
        once(child, 'message'),
        ended.then(([code]: unknown[]) => {
          throw new Error(`${script} ended (${String(code)})`);
        }),
      ])) as [T];
      return said;
    },
    tell: (message) => void child.send(message),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
