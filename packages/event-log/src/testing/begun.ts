import type { EventLog } from '../event-log.ts';
import type { ChildOrder } from './child.ts';
import { startChild, type Child } from './start-child.ts';

/** Resources that a test opens, and that are closed whatever its outcome is. */
export class Begun {
  readonly children: Child[] = [];
  readonly #logs: EventLog[] = [];

  /** Starts a process. */
  start(order: ChildOrder): Child {
    const child = startChild(order);
    this.children.push(child);
    return child;
  }

  /** A log that the test has opened. */
  keep<Log extends EventLog>(log: Log): Log {
    this.#logs.push(log);
    return log;
  }

  /** Kills the processes, then closes the logs. */
  async end(): Promise<void> {
    await Promise.all(this.children.map((child) => child.kill()));
    await Promise.all(this.#logs.map((log) => log.close()));
  }
}
