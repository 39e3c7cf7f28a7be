import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readPage } from '@millrace/testkit/documented-examples.ts';
import { root } from '../support/launcher.ts';
import type { System } from '../support/system.ts';

/** Somebody who follows a page of the docs at their terminal, in a folder of their own. */
export interface Reader {
  folder: string;
  /** Saves the files of the page: blocks whose first line names one. */
  saveFiles(page: string): void;
  /** Runs all shell blocks of the page in one shell, one after the other. @throws with what it printed when one fails. */
  pasteAll(page: string, edit?: (commands: string) => string): Promise<string>;
  close(): void;
}

/** Without npm, which would first install what changed in a checkout that is being worked on. */
const prelude = `set -e
npm() { if [ "$1" != install ]; then shift 4; "$NODE" "$MILLRACE" "$@"; fi; }
`;

export function createReader({ dataDir }: System): Reader {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-reader-'));
  // As `npm install` leaves them.
  symlinkSync(join(root, 'tests/node_modules'), join(folder, 'node_modules'));
  const env = {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    NODE: process.execPath,
    MILLRACE: join(root, 'infra/cli/src/main.ts'),
    MILLRACE_DATA_DIR: dataDir,
  };
  return {
    folder,
    saveFiles(page) {
      for (const [, name = '', content = ''] of readPage(page).matchAll(/```(?:js|html) (\S+)\n(.*?)```\n/gs))
        writeFileSync(join(folder, name), content);
    },
    async pasteAll(page, edit = (commands) => commands) {
      const blocks = [...readPage(page).matchAll(/```sh\n(.*?)```\n/gs)].map(([, block = '']) => block);
      const { stdout } = await promisify(execFile)('sh', ['-c', prelude + edit(blocks.join(''))], { cwd: folder, env });
      return stdout;
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}
