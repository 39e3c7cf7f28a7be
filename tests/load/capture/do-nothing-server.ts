// The counterpart of capture in measurements: reads a body, unpacks it when it says that it is packed, parses it, forgets it, and
// answers with the bytes that capture answers. A process of its own; reports its port to its parent.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

const reply = '{"status":"Ok"}';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const sent = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    // At once and not on another thread: for bodies of this size that is the cheaper way.
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    JSON.parse(body.toString());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '15' });
    response.end(reply, 'latin1');
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
