// Lets the real posthog-cli inject and upload the bundles of the four bundlers, through a proxy that keeps its requests:
//   node record-cli.mjs ../../../.tools/bin/posthog-cli
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startSystem } from '../../support/system.ts';
import { writeBundles } from '../bundles.ts';

const cli = resolve(process.argv[2]);
const system = await startSystem();
const { apiUrl, personalApiKey, projectId } = system.local();
const seen = [];

const proxy = createServer(async (asked, response) => {
  const { method, url, headers } = asked;
  const bytes = await buffer(asked);
  // The host stays the proxy's, so that the addresses of uploads are the proxy's too.
  const sent = request(new URL(url, apiUrl), { method, headers }).end(bytes);
  const [reply] = await once(sent, 'response');
  const answer = await buffer(reply);
  seen.push({ method, url, headers, bytes, status: reply.statusCode, answer });
  response.writeHead(reply.statusCode, reply.headers).end(answer);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');

const folder = mkdtempSync(join(tmpdir(), 'record-cli-'));
writeBundles(folder);
const env = {
  HOME: folder,
  POSTHOG_CLI_HOST: `http://127.0.0.1:${proxy.address().port}`,
  POSTHOG_CLI_API_KEY: personalApiKey,
  POSTHOG_CLI_PROJECT_ID: String(projectId),
};
for (const command of ['inject', 'upload']) {
  const child = spawn(cli, ['sourcemap', command, '--directory', folder], { env, cwd: folder, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`posthog-cli sourcemap ${command} ended with ${code}`);
}
proxy.close();

const names = new Map();
const named = (text) => [...names].reduce((rest, [value, name]) => rest.replaceAll(value, `{${name}}`), text);

/** The call with names for what earlier answers gave, and the names that its own answer gives. */
function callOf({ method, url, headers, bytes, status, answer }) {
  const { authorization, host, connection, 'content-length': length, ...kept } = headers;
  const isFile = url.includes('/objects');
  const body = isFile ? { base64: bytes.toString('base64') } : { body: named(bytes.toString()) };
  const address = names.has(url)
    ? `{${names.get(url)}}`
    : url.replace(`/projects/${projectId}/`, '/projects/{project}/');
  const call = { method, url: address, headers: kept, ...(bytes.length > 0 && body), status };
  const reply = isFile ? {} : JSON.parse(answer.toString());
  for (const [chunk, upload] of Object.entries(reply.id_map ?? {})) {
    const { pathname, search } = new URL(upload.presigned_put_url);
    names.set(upload.symbol_set_id, `set ${chunk}`).set(pathname + search, `put ${chunk}`);
    call.learns = {
      ...call.learns,
      [`set ${chunk}`]: `id_map.${chunk}.symbol_set_id`,
      [`put ${chunk}`]: `id_map.${chunk}.presigned_put_url`,
    };
  }
  return reply.id_map === undefined && !isFile ? { ...call, reply } : call;
}

const version = execFileSync(cli, ['--version'], { env, encoding: 'utf8' }).trim();
const recorded = `Recorded from ${version} by record/record-cli.mjs: sourcemap inject, whose files these are, and upload.`;
const files = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => /\.js(\.map)?$/.test(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
);
const calls = seen.map(callOf);
writeFileSync(
  join(import.meta.dirname, '../recorded/posthog-cli.json'),
  `${JSON.stringify({ recorded, files, calls }, null, 1)}\n`,
);
rmSync(folder, { recursive: true });
await system.destroy();
