import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consumerSettings } from '@millrace/consumer/config';
import type { EventLogSettings } from '@millrace/event-log/open-event-log.ts';
import { eventLogSettings } from '@millrace/event-log/settings.ts';
import type { PostgresRole } from '@millrace/postgres/role-passwords.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { withoutEnd } from '@millrace/runtime/without-end.ts';
import { CliError } from './cli-error.ts';
import type { CliConfig } from './config.ts';

/** Addresses and settings of the system that a command works on. */
export interface System {
  postgresUrl: string;
  eventLog: EventLogSettings;
  /** Name of the consumer's group in the event log. */
  consumerGroup: string;
  /** Address of the management API for browsers. @throws {CliError} when no setting has it */
  apiUrl: () => string;
  /** Address of capture for senders. @throws {CliError} when no setting has it */
  captureUrl: () => string;
  /** Id of the launcher's demo project. @throws {CliError} when the system does not run locally */
  projectId: () => number;
  /** Lifetime of an invite, in days. */
  inviteDays: number;
  /** ClickHouse with a user for the command: migrate creates tables, the others read. @throws {CliError} when no setting has it */
  clickhouseAdmin: () => { url: string; user: string; password: string };
  /** Cluster of replicating ClickHouse servers, or null. */
  clickhouseCluster: string | null;
  /** New passwords of the services' Postgres roles; empty for a local system, whose launcher sets them. */
  rolePasswords: Partial<Record<PostgresRole, string>>;
}

/**
 * The system of `DATABASE_URL`; without it, the system that runs on the data folder.
 * @throws {CliError} when no system runs there
 */
export function findSystem(config: CliConfig): System {
  return config.databaseUrl === null ? localSystem(config) : remoteSystem(config, config.databaseUrl);
}

function remoteSystem(config: CliConfig, postgresUrl: string): System {
  const { clickhouseUrl: url, clickhouseUser: user, clickhousePassword: password, clickhouseCluster } = config;
  const givenPasswords = Object.entries(config.rolePasswords).filter(([, password]) => password !== null);
  return {
    postgresUrl,
    eventLog: config.eventLog,
    consumerGroup: config.consumerGroup,
    inviteDays: config.inviteDays,
    apiUrl() {
      if (config.publicUrl !== null) return withoutEnd(config.publicUrl, '/');
      throw new CliError(
        'DATABASE_URL is set, so PUBLIC_URL must be set too: the address of the API as browsers reach it.',
      );
    },
    captureUrl() {
      if (config.captureUrl !== '') return withoutEnd(config.captureUrl, '/');
      throw new CliError(
        'DATABASE_URL is set, so CAPTURE_PUBLIC_URL must be set too: the address of capture as senders reach it.',
      );
    },
    projectId() {
      throw new CliError('DATABASE_URL is set, so --project must be given. "projects list" shows all projects.');
    },
    clickhouseCluster,
    rolePasswords: Object.fromEntries(givenPasswords),
    clickhouseAdmin() {
      if (url !== null && user !== null && password !== null) return { url, user, password };
      throw new CliError(
        'DATABASE_URL is set, so CLICKHOUSE_URL, CLICKHOUSE_USER and CLICKHOUSE_PASSWORD must be set too (for migrate a user that may create tables).',
      );
    },
  };
}

function localSystem({ dataDir, eventLog: { maxBytes }, publicUrl, inviteDays }: CliConfig): System {
  const local = readJson(join(dataDir, 'local.json'));
  if (local === null) {
    throw new CliError(
      `No system runs on ${dataDir}. Start one with "npm start", or set MILLRACE_DATA_DIR or DATABASE_URL to another system.`,
    );
  }
  const url = requireText(local, 'clickhouseUrl', dataDir);
  return {
    postgresUrl: requireText(local, 'postgresUrl', dataDir),
    eventLog: { ...localLog(local, dataDir), maxBytes },
    // The launcher uses the default.
    consumerGroup: consumerSettings.group.defaultText ?? '',
    clickhouseCluster: null,
    rolePasswords: {},
    inviteDays,
    apiUrl: () => (publicUrl && withoutEnd(publicUrl, '/')) ?? requireText(local, 'apiUrl', dataDir),
    captureUrl: () => requireText(local, 'captureUrl', dataDir),
    projectId: () => requireNumber(local, 'projectId', dataDir),
    clickhouseAdmin() {
      const admin = (local['clickhouseAdmin'] ?? {}) as Record<string, unknown>;
      return { url, user: requireText(admin, 'user', dataDir), password: requireText(admin, 'password', dataDir) };
    },
  };
}

/** Settings of a local system's event log, from `local.json`: the variables that the launcher gave its services. */
function localLog(local: Record<string, unknown>, dataDir: string): EventLogSettings {
  const given = Object.entries((local['eventLog'] ?? {}) as Record<string, unknown>);
  if (given.length === 0) requireText(local, 'eventLog', dataDir);
  return readConfig(eventLogSettings, Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
}

function readJson(file: string): Record<string, unknown> | null {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : null;
}

function requireText(values: Record<string, unknown>, name: string, dataDir: string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw ofAnotherRelease(name, dataDir);
}

function requireNumber(values: Record<string, unknown>, name: string, dataDir: string): number {
  const value = values[name];
  if (typeof value === 'number') return value;
  throw ofAnotherRelease(name, dataDir);
}

const ofAnotherRelease = (name: string, dataDir: string): CliError =>
  new CliError(
    `${dataDir} does not contain ${name}: it was written by another release. Stop the system and start it again with "npm start".`,
  );
