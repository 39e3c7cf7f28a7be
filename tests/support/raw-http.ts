import { connect } from 'node:net';

/** Sends bytes as they are, and answers with all that came back until the server closed the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let response = '';
  socket.on('data', (data: Buffer) => (response += data.toString()));
  // A reset ends it too; what came before is the answer.
  socket.on('error', () => undefined);
  socket.write(bytes);
  return await new Promise((resolve) => socket.once('close', () => resolve(response)));
}
