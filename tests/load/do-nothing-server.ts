// What capture is measured against: reads a body, parses it, forgets it, and answers with the bytes that capture answers.
// A process of its own; tells its parent the port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const reply = '{"status":"Ok"}';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '15' });
    response.end(reply, 'latin1');
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
