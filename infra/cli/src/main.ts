import { createProgram } from './create-program.ts';
import { explain } from './explain.ts';
import { forTerminal } from './for-terminal.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  process.stderr.write(`${forTerminal(explain(error))}\n`);
  process.exitCode = 1;
}
