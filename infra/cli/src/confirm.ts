import { createInterface } from 'node:readline/promises';
import { CliError } from './cli-error.ts';
import { forTerminal } from './for-terminal.ts';

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

/**
 * Asks for a confirmation on standard error; standard output is for the result.
 * @throws {CliError} unless the reply is yes. Without a terminal, the error names the option that confirms.
 */
export async function confirm(question: string, input: Input = process.stdin): Promise<void> {
  if (input.isTTY !== true) throw new CliError(`${question} There is no terminal to ask for confirmation: add --yes.`);
  const lines = createInterface({ input, output: process.stderr });
  const answer = await lines.question(`${forTerminal(question)} [yes/no] `).finally(() => lines.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed.');
}
