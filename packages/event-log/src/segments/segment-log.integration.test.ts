import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEventLog } from '../contract-suite.ts';
import { openSegmentLog } from './segment-log.ts';

const quick = { partitions: 8, tickMs: 100, goneAfterMs: 1500 };

describeEventLog('segment files', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'millrace-log-'));
  const optionsOf = (writer?: string) => ({ dir, ...quick, ...(writer === undefined ? {} : { writer }) });
  return {
    opener: (writer) => ({
      module: join(import.meta.dirname, 'segment-log.ts'),
      opener: 'openSegmentLog',
      options: optionsOf(writer),
    }),
    open: (writer) => openSegmentLog(optionsOf(writer)),
    destroy: () => rm(dir, { recursive: true }),
  };
});
