import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileCache } from '@millrace/testkit/config.ts';
import { readPage } from '@millrace/testkit/documented-examples.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from './test/test-api.ts';

// Each command is a process of its own, as a reader starts it.
describe('commands as documented', () => {
  let api: TestApi;
  let folder: string;
  beforeAll(async () => {
    api = await startTestApi();
    const { organizationId, userId } = await api.seed('Ann');
    await api.prisma.user.update({ where: { id: userId }, data: { email: 'ann@example.com' } });
    for (const id of [1, 2])
      await api.prisma.project.create({
        data: { id, uuid: randomUUID(), organizationId, name: 'Named by its number', apiToken: `phc_${id}` },
      });
    folder = mkdtempSync(join(tmpdir(), 'millrace-docs-'));
    writeFileSync(
      join(folder, 'local.json'),
      JSON.stringify({
        postgresUrl: api.databaseUrl,
        clickhouseUrl: api.clickhouse.url,
        eventLog: { EVENT_LOG_DIR: join(folder, 'event-log') },
      }),
    );
    writeFileSync(join(folder, 'secrets.json'), JSON.stringify({ clickhouse: { admin: 'unused' } }));
  });
  afterAll(async () => {
    await api?.stop();
    rmSync(folder, { recursive: true });
  });

  // The id of a key is the reader's own.
  test('docs/management.md', async () => {
    const commands = [...readPage('management.md').matchAll(/^ {4}npm run --silent millrace -- (.*)$/gm)].map(
      ([, command = '']) => command,
    );
    expect(commands).toHaveLength(5);
    for (const command of commands) {
      const [newest] = await api.admin.listKeys();
      expect(await millrace(command.replace('<id>', newest?.id ?? ''))).toMatch(
        /^(?:phx_\w+\n\nThis is the only time|\S+ {2}phx_|Revoked key|\d+ {2}ann@example\.com)/,
      );
    }
  });

  // They are about project 1, so its deletion comes last.
  test('docs/capture-control.md', async () => {
    const page = readPage('capture-control.md');
    const commands = [...page.matchAll(/^npm run --silent millrace -- (.*)$/gm)].map(([, command = '']) => command);
    const [, inText = ''] = /`(projects set .*?)`/.exec(page) ?? [];
    const isDeletion = (command: string): boolean => command.startsWith('projects delete');
    const [deletion = '', ...more] = commands.filter(isDeletion);
    expect([commands.length, more]).toEqual([12, []]);
    const printedBy = new Map<string, string>();
    for (const command of [...commands.filter((one) => !isDeletion(one)), inText, deletion])
      printedBy.set(command, await millrace(command));
    expect(printedBy.get('quotas list')?.match(/0 of \d+ a \w+/g)).toEqual(['0 of 1000000 a month', '0 of 5000 a day']);
    expect(printedBy.get('restrictions list')?.match(/drop_event|skip_person_processing|redirect_to_dlq/g)).toEqual([
      'drop_event',
      'skip_person_processing',
      'redirect_to_dlq',
    ]);
    const project = await api.prisma.project.findUniqueOrThrow({ where: { id: 1 } });
    expect([project.deletedAt, project.anonymizeIps]).toEqual([expect.any(Date), true]);
  }, 180_000);

  async function millrace(command: string): Promise<string> {
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', `'${process.execPath}' infra/cli/src/main.ts ${command}`],
      {
        cwd: join(import.meta.dirname, '../../..'),
        env: { ...compileCache(), MILLRACE_DATA_DIR: folder },
      },
    );
    return stdout;
  }
});
