import type { ConfigOf } from '@millrace/runtime/config.ts';
import { openSegmentLog, type SegmentLog } from './segments/segment-log.ts';
import type { eventLogSettings } from './settings.ts';

/**
 * Opens the event log that the settings name. `writer` is the name under which this process appends: one process at a
 * time can have it; without it the log is only read.
 * @throws {LogFormatError} when the folder holds a log of another format.
 */
export function openEventLog(settings: ConfigOf<typeof eventLogSettings>, options: { writer?: string } = {}): Promise<SegmentLog> {
  return openSegmentLog({ ...settings, ...options });
}
