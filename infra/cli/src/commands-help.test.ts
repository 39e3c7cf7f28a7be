import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const main = join(import.meta.dirname, 'main.ts');
const help = (...command: string[]): string =>
  execFileSync(process.execPath, [main, ...command, '--help'], { encoding: 'utf8' });

/** Names of the commands in a help, with what it says of each; a description may be on the lines below. */
function commandsIn(text: string): [name: string, description: string][] {
  const [, list = ''] = text.split('\nCommands:\n');
  return list
    .split(/\n(?= {2}\S)/)
    .map((entry): [string, string] => {
      const [, name = '', description = ''] =
        /^ {2}(\S+)(?: \[options\]| \[command\]| <[^>]+>)*(.*)$/s.exec(entry) ?? [];
      return [name, description.trim()];
    })
    .filter(([name]) => name !== '' && name !== 'help');
}

test('the help says of every command what it does', () => {
  const groups = commandsIn(help());
  expect(groups.length).toBeGreaterThan(15);
  const inGroups = groups.flatMap(([group]) =>
    commandsIn(help(group)).map(([name, description]): [string, string] => [`${group} ${name}`, description]),
  );
  expect(inGroups.length).toBeGreaterThan(20);
  expect([...groups, ...inGroups].filter(([, description]) => description === '').map(([name]) => name)).toEqual([]);
});
