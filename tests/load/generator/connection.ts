import { connect } from 'node:net';
import { once } from 'node:events';

/** A keep-alive connection that sends prepared requests, one after the other, and reads little more than the status. */
export interface Connection {
  /** Sends bytes and waits for the reply. @throws when the status is not 200, or the connection breaks */
  send(head: Uint8Array, body: Uint8Array): Promise<void>;
  /** Whether it can be sent to. */
  isOpen(): boolean;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Connects. Replies must say their length, which those of capture and of the do-nothing server do. */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await once(socket, 'connect');
  let waiting: { resolve: () => void; reject: (error: Error) => void } | null = null;
  let received: Buffer = Buffer.alloc(0);
  /** Length of the last reply: nearly all have the same length, so it need not be searched. */
  let usualSize = -1;

  const fail = (error: Error): void => {
    waiting?.reject(error);
    waiting = null;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const size = received.length === usualSize ? usualSize : replySize(received);
    if (size === null || received.length < size) return;
    const reply = received;
    received = Buffer.alloc(0);
    if (reply.toString('latin1', 9, 12) !== '200') return fail(new Error(`the server answered ${reply.toString()}`));
    usualSize = size;
    waiting?.resolve();
    waiting = null;
  });

  return {
    send: (head, body) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        // One system call for both.
        socket.cork();
        socket.write(head);
        socket.write(body);
        socket.uncork();
      }),
    isOpen: () => socket.writable,
    close: () => socket.destroy(),
  };
}

/** Bytes of the reply that begins here, or null while its head is incomplete. @throws for a reply without a length */
function replySize(bytes: Buffer): number | null {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return null;
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1];
  if (length === undefined) throw new Error('the reply does not say its length');
  return end + headEnd.length + Number(length);
}
