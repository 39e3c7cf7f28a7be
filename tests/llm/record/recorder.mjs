import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

/** Header names that a server's answer may depend on, in the order in which they are written. */
const kept = ['content-type', 'content-encoding', 'user-agent'];

/** Said at the beginning of each file. */
const promise = [
  'Each body is byte for byte as it was sent, unpacked where it was gzip; only folders of the machine became /app.',
  'Tests send it again as it stands, with the token of their project in place of phc_recorded.',
];

/**
 * A capture server on the loopback that keeps what it gets. `write` gives a file that tests/support/recorded-requests.ts reads: for each request its
 * line, headers, an empty line and the body as it came (unpacked when it was gzip), then `###`. `folders` of this machine,
 * which stacks of errors name, become `/app`.
 */
export async function startRecorder(folders) {
  let requests = [];
  const withoutFolders = (text) => folders.reduce((rest, folder) => rest.replaceAll(folder, '/app'), text);
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    if (request.url.includes('batch')) requests.push({ request, body: withoutFolders(body.toString()) });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"status": 1, "status_code": 200}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Writes what came since the last time. */
    write(path, comment) {
      const texts = requests.map(({ request: { method, url, headers }, body }) => {
        const lines = kept.filter((name) => name in headers).map((name) => `${name}: ${headers[name]}`);
        return [`${method} ${url}`, ...lines, '', body, ''].join('\n');
      });
      writeFileSync(
        path,
        [`${[...comment, ...promise].map((line) => `# ${line}`).join('\n')}\n`, ...texts].join('\n###\n'),
      );
      const count = requests.length;
      requests = [];
      return count;
    },
    close: () => server.close(),
  };
}
