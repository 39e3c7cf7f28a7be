import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '../support/launcher.ts';
import { startSystem, type Local, type System } from '../support/system.ts';
import { createReader, type Reader } from './reader.ts';

// A newcomer's first minutes: the product starts, and the lines that it and the README show are pasted into a shell.
const seenWithinMs = 20_000;
let system: System;
let local: Local;
let reader: Reader;

beforeAll(async () => {
  system = await startSystem();
  local = system.local();
  reader = createReader(system);
}, 100_000);
afterAll(async () => {
  reader?.close();
  await system?.destroy();
}, 30_000);

/** The command's output. @throws with what it says when it fails. */
function shell(command: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command}\nended with ${status}: ${stderr}`);
  return stdout;
}

/** A curl line without the progress that it would draw; -f makes a refusal a failure. */
const curl = (command: string): string => shell(command.replace(/^(sleep 2; )?curl /, '$1curl -fsS '));

test('the three lines of the ready message send an event, count it and open the reference', async () => {
  const output = await eventually(
    () => {
      expect(system.output()).toContain('Ctrl-C stops everything.');
      return system.output();
    },
    { deadlineMs: seenWithinMs },
  );
  const [send, count, open, ...others] = [...output.matchAll(/^ {2}((?:sleep 2; )?curl .*)$/gm)].map(
    ([, command = '']) => command,
  );
  expect(others).toEqual([]);
  expect(JSON.parse(curl(send ?? ''))).toMatchObject({ status: expect.stringMatching(/ok/i) });
  // At once, as a newcomer who pastes all lines together: the line itself waits for the event.
  expect(JSON.parse(curl(count ?? ''))).toMatchObject({ results: [['hello', 1]] });
  expect(curl(open ?? '')).toContain('<html');
}, 60_000);

describe('of the README', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');

  test('the query of the shell block is saved and answers with the event of the block before', async () => {
    const block = /```sh\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const [save, run, ...others] = block.trim().split('\n\n').map(here);
    expect(others).toEqual([]);
    expect(JSON.parse(curl(save ?? ''))).toMatchObject({ name: 'team-sizes' });
    const program = /```js\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    writeFileSync(join(reader.folder, 'send.mjs'), here(program));
    shell(`cd '${reader.folder}' && '${process.execPath}' send.mjs`);
    const [, shown = ''] = /The answer is `(\{.*), …\}`/.exec(text) ?? [];
    const answer = JSON.parse(`${shown}}`) as Record<string, unknown>;
    expect(Object.keys(answer)).toEqual(['results', 'columns']);
    await eventually(() => expect(JSON.parse(curl(run ?? ''))).toMatchObject(answer), { deadlineMs: seenWithinMs });
  }, 60_000);

  test('the commands are there', () => {
    const commands = [...text.matchAll(/^ {4}npm run --silent millrace -- (.*)$/gm)].map(([, command = '']) => command);
    expect(commands).toEqual(['organizations create --name Acme', '--help']);
    // Without npm, which would first install what changed in a checkout that is being worked on.
    const [created, help] = commands.map((command) =>
      shell(`MILLRACE_DATA_DIR='${system.dataDir}' '${process.execPath}' infra/cli/src/main.ts ${command}`),
    );
    expect(created).toMatch(/[0-9a-f]{8}-/);
    expect(help).toContain('organizations');
  });

  /** A command of the README with the addresses and keys of this system in place of its own. */
  function here(command: string): string {
    return command
      .replaceAll('http://127.0.0.1:8000', local.captureUrl)
      .replaceAll('http://127.0.0.1:8001', local.apiUrl)
      .replaceAll('phc_…', local.projectToken)
      .replaceAll('phx_…', local.personalApiKey);
  }
});
