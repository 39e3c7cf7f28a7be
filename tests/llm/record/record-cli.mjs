// Records the requests of posthog-cli's tools for LLM analytics, against the product itself. The tools are JavaScript inside the crate
// posthog-cli, which cargo downloads: node record-cli.mjs <lib/posthog-api-cli.mjs of posthog-cli 0.19.0>
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSystem } from '../../support/system.ts';
import { calls } from './cli-calls.mjs';

const version = '0.19.0';
const output = '../../../services/management-api/src/features/llm-analytics/cli-tools/recorded-calls.json';

/** Passes everything on to the API and keeps it. */
async function startProxy(apiUrl) {
  const exchanges = [];
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const { authorization, 'user-agent': agent, 'x-posthog-client': client } = request.headers;
    const headers = {
      authorization,
      'user-agent': agent,
      'x-posthog-client': client,
      'content-type': 'application/json',
    };
    const reply = await fetch(apiUrl + request.url, {
      method: request.method,
      headers,
      ...(body === '' ? {} : { body }),
    });
    const text = await reply.text();
    exchanges.push({ method: request.method, path: request.url, body, status: reply.status, reply: text });
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    response.end(text);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { exchanges, url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const [bundle] = process.argv.slice(2);
const system = await startSystem();
const local = system.local();
const proxy = await startProxy(local.apiUrl);
const home = mkdtempSync(join(tmpdir(), 'cli-home-'));
const ids = new Map([['project', String(local.projectId)]]);
const filled = (text) => [...ids].reduce((rest, [name, id]) => rest.replaceAll(`{${name}}`, id), text);
const named = (text) =>
  [...ids].reduce(
    (rest, [name, id]) =>
      name === 'project' ? rest.replace(`/projects/${id}/`, '/projects/{project}/') : rest.replaceAll(id, `{${name}}`),
    text,
  );

async function call(tool, input) {
  const args = [bundle, 'call', '--json', '--confirm', tool, filled(JSON.stringify(input))];
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, POSTHOG_HOME: home, POSTHOG_CLI_VERSION: version },
    ...{
      POSTHOG_CLI_API_KEY: local.personalApiKey,
      POSTHOG_CLI_PROJECT_ID: ids.get('project'),
      POSTHOG_CLI_HOST: proxy.url,
    },
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part) => (said += part));
  const exit = await new Promise((resolve) => child.on('exit', resolve));
  return { exit, said };
}

const recorded = [];
try {
  for (const [tool, input, { as } = {}] of calls) {
    const from = proxy.exchanges.length;
    const { exit, said } = await call(tool, input);
    const own = proxy.exchanges.slice(from).find(({ path }) => path.includes('/llm_analytics/'));
    if (own === undefined) throw new Error(`${tool} sent nothing: ${said}`);
    const request = {
      method: own.method,
      path: named(own.path),
      ...(own.body === '' ? {} : { body: named(own.body) }),
    };
    recorded.push({ tool, ...(as === undefined ? {} : { as }), ...request, status: own.status });
    const reply = own.reply === '' ? {} : JSON.parse(own.reply);
    if (as !== undefined) ids.set(as, reply.id ?? reply.results[0].id);
    console.log(exit, tool, own.status, exit === 0 ? '' : said.split('\n').find((line) => line.startsWith('Error')));
  }
} finally {
  proxy.close();
  rmSync(home, { recursive: true });
  await system.destroy();
}
const header = `Recorded from posthog-cli ${version} by tests/llm/record/record-cli.mjs; ids have names.`;
const lines = recorded.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
writeFileSync(
  join(import.meta.dirname, output),
  `{\n  "recorded": ${JSON.stringify(header)},\n  "calls": [\n${lines}\n  ]\n}\n`,
);
process.exit(0);
