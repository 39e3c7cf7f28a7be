import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A page of documentation by its name. */
export const readPage = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');

/** An example of a page of documentation: a name for a test, a shell command, and what it is said to print. */
export type Example = readonly [name: string, command: string, output: string];

/** Nothing on a page takes longer; a loop that waits in vain does. */
const longestMs = 120_000;
const commandMark = 'sh example\n';
const outputMark = 'output\n';

/** The examples of a page: a block `sh example` with its `output` right after it. Pure. */
export function examplesOf(text: string): Example[] {
  const parts = text.split('```');
  return parts
    .flatMap((part, at): [string, string][] => {
      const [between, next = ''] = [parts[at + 1], parts[at + 2]];
      if (!part.startsWith(commandMark) || between !== '\n' || !next.startsWith(outputMark)) return [];
      return [[part.slice(commandMark.length), next.slice(outputMark.length)]];
    })
    .map(([command, output], index) => [`${index + 1}: ${command.split('\n', 1)[0]}`, command, output]);
}

/** Functions that the examples of a page use: its block `sh functions`. Pure. */
export const functionsOf = (text: string): string => text.split('```sh functions\n')[1]?.split('```', 1)[0] ?? '';

/** The output of a command in a shell that has no variables but `variables`. */
export async function printed(command: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    timeout: longestMs,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...variables },
  });
  return stdout.trimEnd();
}

const betweenOutputs = '--- next example ---';

/** The outputs of examples that are pasted into one shell, one after the other, so that they see each other's variables. */
export async function printedInOneShell(
  before: string,
  examples: readonly Example[],
  variables: Readonly<Record<string, string>>,
): Promise<string[]> {
  const commands = examples.map(([, command]) => `${command}\necho; echo '${betweenOutputs}'\n`);
  const output = await printed(`${before}\n${commands.join('')}`, variables);
  return output.split(betweenOutputs).map((text) => text.trim());
}
