import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mayMount } from '../support/small-disk.ts';
import { installedS3 } from '@millrace/object-storage/testing/start-s3.ts';
import type { LogKind, RigOptions } from './rig/rig.ts';
import type { Scenario } from './stage/scenario.ts';

const has = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

/** Why a broker cannot be started on this machine, or null. */
export function missingForBroker(): string | null {
  const missing = ['java', 'mvn'].filter((command) => !has(command));
  return missing.length === 0 ? null : `this machine has no ${missing.join(' and no ')}`;
}

/** Whether files can be in a server of S3: on Kafka they are, as in production; on the embedded log in a folder. */
export const hasS3 = (log: LogKind): boolean => log === 'kafka' && (existsSync(installedS3) || has('versitygw'));

export const hasRedis = (): boolean => has('redis-server');

/** Why the scenario cannot run on such a rig, or null. */
export function missingFor({ needs, logs }: Scenario, { log, brokers }: RigOptions): string | null {
  if (!logs.includes(log)) return `it is for the other log`;
  if (log === 'kafka' && needs?.ownBroker && brokers) return "it hurts the broker, and this one is somebody else's";
  if (needs?.redis && !hasRedis()) return 'this machine has no redis-server';
  if (needs?.smallDisk && !mayMount()) return 'this user may not mount a file system';
  return null;
}
