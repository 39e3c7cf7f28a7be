import { expect, test } from '@jest/globals';
import { type LocalJson, readyMessage } from './ready-message.ts';

const local: LocalJson = {
  captureUrl: 'http://127.0.0.1:8000',
  apiUrl: 'http://127.0.0.1:8001',
  operationsUrls: {
    capture: 'http://127.0.0.1:8010',
    consumer: 'http://127.0.0.1:8002',
    'management-api': 'http://127.0.0.1:8011',
  },
  organizationId: '019300aa-0000-7000-8000-000000000000',
  projectId: 1,
  projectToken: 'phc_token',
  personalApiKey: 'phx_key',
  postgresUrl: 'postgres://secret@127.0.0.1/millrace',
  clickhouseUrl: 'http://127.0.0.1:9000',
  clickhouseAdmin: { user: 'admin', password: 'secret' },
  givenEngines: { postgres: null, clickhouse: null },
  eventLog: { EVENT_LOG_DIR: '/data/event-log' },
  processes: { capture: 1, consumer: 2, 'management-api': 3, clickhouse: 4, postgres: 5 },
};

test('the message holds all that a new user needs, each line whole, and no database password', () => {
  const text = readyMessage(local, 'event_count');
  const commands = text.split('\n').filter((line) => /^ {2}(sleep 2; )?curl /.test(line));
  expect(commands).toHaveLength(3);
  expect(commands[0]).toContain('http://127.0.0.1:8000/i/v0/e/');
  expect(commands[1]).toContain('/api/projects/1/endpoints/event_count/run');
  expect(commands[2]).toContain('/docs');
  for (const [name, port] of [
    ['capture', 8010],
    ['management API', 8011],
    ['consumer', 8002],
  ])
    expect(text).toMatch(new RegExp(`of ${name} +http://127\\.0\\.0\\.1:${port}\n`));
  expect(text).toContain('project         1\n');
  expect(text).toContain('phc_token');
  expect(text).not.toContain('secret');
});

test('the message names what Ctrl-C does not stop: engines of the user’s own', () => {
  const own = { postgres: '127.0.0.1:5432/millrace', clickhouse: 'http://127.0.0.1:8123' };
  expect(readyMessage(local, 'event_count')).toContain('Ctrl-C stops everything.\n');
  expect(readyMessage({ ...local, givenEngines: own }, 'event_count')).toContain(
    'Ctrl-C stops everything but your own Postgres and ClickHouse.\n',
  );
  expect(readyMessage({ ...local, givenEngines: { ...own, postgres: null } }, 'event_count')).toContain(
    'but your own ClickHouse.\n',
  );
});
