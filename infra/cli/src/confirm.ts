import { createInterface } from 'node:readline/promises';
import { CliError } from './cli-error.ts';
import { forTerminal } from './for-terminal.ts';

/**
 * Asks on standard error whether to go on; standard output is the answer's.
 * @throws {CliError} unless a person says yes; where nobody can be asked it names the option that answers.
 */
export async function confirm(question: string): Promise<void> {
  if (process.stdin.isTTY !== true) throw new CliError(`${question} Nobody can be asked here: add --yes.`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${forTerminal(question)} [yes/no] `).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed.');
}
