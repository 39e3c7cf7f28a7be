import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface RedisOfTest {
  url: string;
  /** Values by key, as clients set them. */
  values: Map<string, string>;
  /** Milliseconds that each key lives. */
  lives: Map<string, number>;
  /** Commands that arrived, in capitals. */
  commands: string[];
  /** From now on it takes commands and answers none. */
  hang(): void;
  close(): Promise<void>;
}

/** A server with the commands of Redis that capture uses: enough to see the requests to one. Keys do not expire. */
export async function startRedisOfTest(): Promise<RedisOfTest> {
  const values = new Map<string, string>();
  const lives = new Map<string, number>();
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let hanging = false;

  function response([name = '', ...args]: string[]): string {
    commands.push(name.toUpperCase());
    switch (name.toUpperCase()) {
      case 'MGET':
        return `*${args.length}\r\n${args.map((key) => bulk(values.get(key))).join('')}`;
      case 'SET':
        values.set(args[0] ?? '', args[1] ?? '');
        lives.set(args[0] ?? '', Number(args[3]));
        return '+OK\r\n';
      case 'HELLO':
        return '%1\r\n+proto\r\n:3\r\n';
      case 'INFO':
        return bulk('loading:0\r\n');
      default:
        return '+OK\r\n';
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    let buffered = '';
    socket.on('data', (data) => {
      buffered += data.toString('latin1');
      for (let read = readCommand(buffered); read !== null; read = readCommand(buffered)) {
        buffered = read.rest;
        if (!hanging) socket.write(response(read.command));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    values,
    lives,
    commands,
    hang: () => void (hanging = true),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function bulk(value: string | undefined): string {
  return value === undefined ? '$-1\r\n' : `$${value.length}\r\n${value}\r\n`;
}

/** The first whole command of what has arrived: an array of bulk strings. */
function readCommand(text: string): { command: string[]; rest: string } | null {
  const count = /^\*(\d+)\r\n/.exec(text);
  if (count === null) return null;
  const command: string[] = [];
  let at = count[0].length;
  for (let index = 0; index < Number(count[1]); index++) {
    const length = /^\$(\d+)\r\n/.exec(text.slice(at));
    if (length === null) return null;
    const start = at + length[0].length;
    const end = start + Number(length[1]);
    if (text.length < end + 2) return null;
    command.push(text.slice(start, end));
    at = end + 2;
  }
  return { command, rest: text.slice(at) };
}
