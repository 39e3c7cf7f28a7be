import { existsSync } from 'node:fs';
import { readJson, type DataFolder, writePrivateJson } from '../data-folder.ts';
import type { GivenEngines } from './addresses.ts';
import { GivenEngineError } from './given-engine-error.ts';

/** Addresses of a data folder's engines, without password; null: the engine in the folder. */
export type StoredEngines = Record<'postgres' | 'clickhouse', string | null>;

/** The engines of a start, as they are stored and shown. Pure. */
export const shownEngines = ({ postgres, clickhouse }: GivenEngines): StoredEngines => ({
  postgres: postgres?.shown ?? null,
  clickhouse: clickhouse?.url ?? null,
});

/**
 * Refuses a start with other engines than those of the first start: these hold the data, and others would look empty.
 * @throws {GivenEngineError}
 */
export function requireSameEngines(folder: DataFolder, now: StoredEngines): void {
  const kept = readJson<StoredEngines>(folder.engines) ?? (existsSync(folder.ports) ? ownEngines : now);
  if (kept.postgres === now.postgres && kept.clickhouse === now.clickhouse) return;
  const moved = existsSync(folder.engines) ? ` If only their address has changed, remove ${folder.engines}.` : '';
  throw new GivenEngineError(
    `The data of ${folder.root} is in ${words(kept)}; this start uses ${words(now)}. Start with the same engines again, or use another folder: MILLRACE_DATA_DIR=<folder> npm start.${moved}`,
  );
}

/** Stores the engines of a successful start in the folder. */
export function storeEngines(folder: DataFolder, now: StoredEngines): void {
  if (readJson(folder.engines) === undefined) writePrivateJson(folder.engines, now);
}

const ownEngines: StoredEngines = { postgres: null, clickhouse: null };

function words({ postgres, clickhouse }: StoredEngines): string {
  if (postgres === null && clickhouse === null) return 'the Postgres and ClickHouse that npm start brings';
  const one = (name: string, address: string | null): string =>
    address === null ? `the ${name} that npm start brings` : `the ${name} at ${address}`;
  return `${one('Postgres', postgres)} and ${one('ClickHouse', clickhouse)}`;
}
