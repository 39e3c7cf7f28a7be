import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '@millrace/engines/canary-setup.ts';
import type { ClickhouseEngine } from '@millrace/engines/clickhouse.ts';
import { serverSecrets, startServer } from '../query/test-server.ts';
import { makeUsers, UsersRefusedError } from './make-users.ts';
import { buildUserStatements } from './user-statements.ts';

const options = { secrets: serverSecrets };

describe('a server that takes its users from files alone', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let engine: ClickhouseEngine;
  beforeAll(async () => {
    folder = await temporaryFolder();
    engine = await startServer(folder.path);
  });
  afterAll(async () => {
    await engine.stop();
    await folder.remove();
  });

  test.each([
    ['admin', serverSecrets.admin, 'ACCESS_DENIED'],
    ['operator', 'operator-password', 'ACCESS_STORAGE_READONLY'],
  ])('reports it to %s, without the secret', async (user, password, reason) => {
    const error: unknown = await makeUsers({ url: engine.url, user, password }, options).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsersRefusedError);
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).not.toContain(serverSecrets.tokenSecret);
  });
});

describe('a server that takes them', () => {
  let server: Server;
  let answer: { status: number; text: string };
  const requests: { query: string; logQueries: string | null }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const { searchParams } = new URL(request.url ?? '', 'http://server');
        requests.push({ query: Buffer.concat(chunks).toString(), logQueries: searchParams.get('log_queries') });
        response.writeHead(answer.status).end(answer.text);
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test('gets every statement in its order, and none is kept in its log of queries', async () => {
    answer = { status: 200, text: '' };
    await makeUsers({ url: url(), user: 'default', password: '' }, options);
    expect(requests.map(({ query }) => query)).toEqual(buildUserStatements(options));
    expect(new Set(requests.map(({ logQueries }) => logQueries))).toEqual(new Set(['0']));
  });

  test('what it does not understand is named without the secret', async () => {
    answer = {
      status: 400,
      text: `Code: 62. DB::Exception: Syntax error: ${serverSecrets.tokenSecret} (SYNTAX_ERROR) (version 1)`,
    };
    const error: unknown = await makeUsers({ url: url(), user: 'default', password: '' }, options).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).not.toBeInstanceOf(UsersRefusedError);
    expect((error as Error).message).toBe(
      'ClickHouse refused "CREATE SETTINGS PROFILE IF NOT EXISTS millrace_service …": SYNTAX_ERROR (62)',
    );
  });
});
