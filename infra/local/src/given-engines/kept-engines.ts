import { existsSync } from 'node:fs';
import { readJson, type DataFolder, writePrivateJson } from '../data-folder.ts';
import type { GivenEngines } from '../config.ts';
import { GivenEngineError } from './given-engine-error.ts';

/** Where a data folder's engines are: an address without password, or null for the one that is in the folder. */
export type KeptEngines = Record<'postgres' | 'clickhouse', string | null>;

/** The engines of a start. Pure. */
export const shownEngines = ({ postgres, clickhouse }: GivenEngines): KeptEngines => ({
  postgres: postgres?.shown ?? null,
  clickhouse: clickhouse?.url ?? null,
});

/**
 * A folder's data lies in the engines that it was begun with: started on others it would seem to be empty.
 * @throws {GivenEngineError} when these are others
 */
export function requireSameEngines(folder: DataFolder, now: KeptEngines): void {
  const kept = readJson<KeptEngines>(folder.engines) ?? (existsSync(folder.ports) ? ownEngines : now);
  if (kept.postgres === now.postgres && kept.clickhouse === now.clickhouse) return;
  const moved = existsSync(folder.engines) ? ` When they only have a new address, remove ${folder.engines}.` : '';
  throw new GivenEngineError(
    `The data of ${folder.root} is in ${words(kept)}; this start is on ${words(now)}. Start with the same again, or on another folder: MILLRACE_DATA_DIR=<folder> npm start.${moved}`,
  );
}

/** Notes the engines of a folder that started. */
export function keepEngines(folder: DataFolder, now: KeptEngines): void {
  if (readJson(folder.engines) === undefined) writePrivateJson(folder.engines, now);
}

const ownEngines: KeptEngines = { postgres: null, clickhouse: null };

function words({ postgres, clickhouse }: KeptEngines): string {
  if (postgres === null && clickhouse === null) return 'the Postgres and ClickHouse that npm start brings';
  const one = (name: string, address: string | null): string =>
    address === null ? `the ${name} that npm start brings` : `the ${name} at ${address}`;
  return `${one('Postgres', postgres)} and ${one('ClickHouse', clickhouse)}`;
}
