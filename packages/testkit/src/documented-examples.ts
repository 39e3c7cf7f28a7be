import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A page of documentation by its name. */
export const readPage = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');

/** An example of a page of documentation: a name for a test, a shell command, and what it is said to print. */
export type Example = readonly [name: string, command: string, output: string];

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

/** The output of a command in a shell that has no variables but `variables`. */
export async function printed(command: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', ...variables },
  });
  return stdout.trimEnd();
}
