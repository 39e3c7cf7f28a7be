import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readCliConfig } from './config.ts';
import { findSystem } from './find-system.ts';

describe('the event log of the system on a data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-find-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function find(local: Record<string, unknown>, environment: Record<string, string> = {}) {
    writeFileSync(
      join(folder, 'local.json'),
      JSON.stringify({ postgresUrl: 'postgres://x', clickhouseUrl: 'http://x', ...local }),
    );
    return findSystem(readCliConfig({ MILLRACE_DATA_DIR: folder, ...environment }));
  }

  test('is the one of the services: in the folder', () => {
    const { eventLog } = find(
      { eventLog: { EVENT_LOG_DIR: '/there/event-log' } },
      { EVENT_LOG_MAX_BYTES: '2000000', KAFKA_BROKERS: 'other:9092' },
    );
    expect(eventLog).toMatchObject({ dir: '/there/event-log', maxBytes: 2_000_000, kafka: { brokers: null } });
  });

  test('or in Kafka, even when the folder has one too', () => {
    const { eventLog } = find({
      eventLog: { KAFKA_BROKERS: 'one:9092,two:9092', KAFKA_TOPIC_PREFIX: 'millrace-abc.', KAFKA_LOG_ID: 'x' },
    });
    expect(eventLog).toMatchObject({
      dir: null,
      kafka: { brokers: 'one:9092,two:9092', topicPrefix: 'millrace-abc.', id: 'x' },
    });
  });

  test('is unknown in a folder of another release: the error gives advice', () => {
    expect(() => find({})).toThrow(
      'does not contain eventLog: it was written by another release. Stop the system and start it again',
    );
  });
});

test('a system that does not run locally needs settings for the address of capture and for the project', () => {
  const remote = { DATABASE_URL: 'postgres://there/millrace' };
  const { captureUrl, projectId } = findSystem(readCliConfig(remote));
  expect(captureUrl).toThrow('CAPTURE_PUBLIC_URL must be set too');
  expect(projectId).toThrow('--project must be given');
  const told = findSystem(readCliConfig({ ...remote, CAPTURE_PUBLIC_URL: 'https://in.example.com/' }));
  expect(told.captureUrl()).toBe('https://in.example.com');
});
