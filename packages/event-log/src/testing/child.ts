import type { Lane } from '@millrace/contracts/lanes.ts';
import type { EventLog } from '../event-log.ts';

/*
 * A process of its own for tests: `node child.ts '<ChildOrder as JSON>'`. Says what it does line by line on standard
 * output. Ends when standard input does, in order; tests end it in other ways.
 */

/** How a child opens the log: `module` exports a function `opener` that takes `options`. */
export interface LogOpener {
  module: string;
  opener: string;
  options: Record<string, unknown>;
}

/**
 * `append`: appends numbered records (`<name>:<number>`, padded to about `bytes`) for ever, `width` at a time, number n to
 * partition n mod partitions; prints `acked <number>`, or `failed <number> <error>` and continues with the next number.
 * `subscribe`: prints `assigned <partition>`, then for each record `read <partition> <offset> <text>`, commits it and
 * prints `committed <partition> <offset>`; a refused commit prints `refused <partition> <offset> <error>`.
 */
export type ChildOrder =
  | { do: 'append'; log: LogOpener; lane: Lane; name: string; bytes: number; width: number }
  | { do: 'subscribe'; log: LogOpener; lane: Lane; group: string };

async function run(order: ChildOrder): Promise<void> {
  const opened = ((await import(order.log.module)) as Record<string, (options: unknown) => Promise<EventLog>>)[
    order.log.opener
  ];
  if (!opened) throw new Error(`no ${order.log.opener} in ${order.log.module}`);
  const log = await opened(order.log.options);
  say(`open ${log.unhealthyReason() ?? 'ready'}`);
  let isEnding = false;
  const ending = new Promise<void>((resolve) =>
    process.stdin.resume().on('end', () => resolve(((isEnding = true), undefined))),
  );
  if (order.do === 'append') await appendForEver(log, order, () => isEnding);
  else await Promise.all([subscribe(log, order), ending]);
  await log.close();
  say('closed');
}

async function appendForEver(
  log: EventLog,
  order: ChildOrder & { do: 'append' },
  isEnding: () => boolean,
): Promise<void> {
  let number = 0;
  const one = async (): Promise<void> => {
    while (!isEnding()) {
      const mine = number++;
      const payload = Buffer.from(`${order.name}:${mine}`.padEnd(order.bytes, '.'));
      await log.append(order.lane, [{ partition: mine % log.partitions, payload }]).then(
        () => say(`acked ${mine}`),
        (error: Error) => {
          say(`failed ${mine} ${error.name}`);
          return new Promise((resolve) => setTimeout(resolve, 50));
        },
      );
    }
  };
  await Promise.all(Array.from({ length: order.width }, one));
}

async function subscribe(log: EventLog, order: ChildOrder & { do: 'subscribe' }): Promise<void> {
  await log.subscribe({
    group: order.group,
    lanes: [order.lane],
    onStream: async (stream) => {
      const { partition } = stream.id;
      say(`assigned ${partition}`);
      let from = stream.committed?.offset ?? 0n;
      while (!stream.revoked.aborted) {
        for (const { offset, payload } of await stream.read(from, { maxBytes: 1, waitMs: 1000 })) {
          say(`read ${partition} ${offset} ${payload.toString()}`);
          from = offset + 1n;
          await stream.commit({ offset: from, metadata: '' }).then(
            () => say(`committed ${partition} ${offset}`),
            (error: Error) => say(`refused ${partition} ${offset} ${error.name}`),
          );
        }
      }
      say(`revoked ${partition}`);
    },
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

if (process.argv[2]?.startsWith('{')) void run(JSON.parse(process.argv[2]) as ChildOrder);
