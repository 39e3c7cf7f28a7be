import { integer, text } from '@millrace/runtime/settings.ts';

/** Where the event log is. */
export const eventLogSettings = {
  dir: text('EVENT_LOG_DIR', { description: 'folder of the event log, on a disk of this machine' }),
  maxBytes: integer('EVENT_LOG_MAX_BYTES', {
    description: 'bytes on disk above which the event log takes nothing more until its readers have caught up',
    default: 20 * 1024 ** 3,
    min: 1024 ** 2,
  }),
};
