import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Config } from '../../config.ts';
import { connectRunRecordStore, createRunRecords, noRunRecords, type RunRecords } from './run-records.ts';

/**
 * The logs of endpoints, if this process has the password of their writer. `onLost` is called with the number of
 * records that could not be written.
 */
export function openRunRecords(
  { clickhouse: { url, recorderPassword: password } }: Config,
  logger: Logger,
  onLost: (count: number) => void,
): RunRecords {
  if (password !== null)
    return createRunRecords(connectRunRecordStore({ url, user: 'recorder', password }), {
      logger,
      onLost,
    });
  logger.info('CLICKHOUSE_RECORDER_PASSWORD is not set: this process keeps no logs of endpoints');
  return noRunRecords;
}
