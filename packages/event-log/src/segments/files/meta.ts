import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWhole, failedWith, makeFolder } from './files.ts';

const formatName = 'millrace-segments';
const formatVersion = 1;

/** Thrown when a folder holds a log that this build cannot read. */
export class LogFormatError extends Error {
  override name = 'LogFormatError';
}

/**
 * Partitions of a log that is made, unless somebody says otherwise. Each is an insert of its own in ClickHouse, and small inserts
 * cost it most: more of them serve nobody on one machine.
 */
export const partitionsPreset = 4;

/** Properties that are fixed when a log is made. */
export interface LogMeta {
  /** Unique id of this log. A log that is created again in the same folder has another one. */
  id: string;
  partitions: number;
}

/**
 * Opens the folder of a log, or makes it a new one with that many partitions. The file's word counts.
 * @throws {LogFormatError} when the format is unknown, by its name and version.
 */
export async function openMeta(dir: string, partitions: number): Promise<LogMeta> {
  const path = join(dir, 'meta.json');
  if (!(await isThere(path))) {
    if (!Number.isInteger(partitions) || partitions < 1 || partitions > 256)
      throw new RangeError('partitions must be 1 to 256');
    await makeFolder(dir);
    const meta = { format: formatName, version: formatVersion, id: randomUUID(), partitions };
    await createWhole(path, Buffer.from(`${JSON.stringify(meta)}\n`));
  }
  return readMeta(dir);
}

/**
 * Reads the properties that were fixed when the log of a folder was made.
 * @throws {LogFormatError} when the format is unknown; ENOENT when there is no log.
 */
export async function readMeta(dir: string): Promise<LogMeta> {
  const path = join(dir, 'meta.json');
  const text = await readFile(path, 'utf8');
  const meta = parseObject(text);
  if (meta?.['format'] !== formatName) throw new LogFormatError(`${path} is not the meta file of an event log`);
  if (meta['version'] !== formatVersion) {
    throw new LogFormatError(
      `${path}: event log format ${String(meta['version'])}, this build reads format ${formatVersion}`,
    );
  }
  const { id, partitions } = meta;
  if (typeof id !== 'string' || typeof partitions !== 'number')
    throw new LogFormatError(`${path} names no id or no number of partitions`);
  return { id, partitions };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await readFile(path);
    return true;
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return false;
    throw error;
  }
}
