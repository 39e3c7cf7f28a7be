import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EngineStartError } from './engine-error.ts';

const runFile = promisify(execFile);
const versionMin = 17;

const advice = 'Install Java 17 or newer and Maven (Debian: openjdk-17-jre-headless and maven).';

/**
 * Path of the Java program that the command `java` runs on this machine.
 * @throws {EngineStartError} when there is none, or it is older than 17.
 */
export async function javaCommand(engine: string): Promise<string> {
  const { stderr } = await runTool(engine, 'java', ['-XshowSettings:properties', '-version']);
  const property = (name: string): string => new RegExp(`^\\s*${name} = (.*)$`, 'm').exec(stderr)?.[1]?.trim() ?? '';
  const version = property('java\\.specification\\.version');
  if (!(Number(version) >= versionMin))
    throw new EngineStartError(engine, `java is version ${version || 'unknown'}, ${versionMin} is needed.`, advice);
  return join(property('java\\.home'), 'bin/java');
}

/**
 * Runs `java`, or a tool like Maven, to its end; the command is found as a shell finds it.
 * @throws {EngineStartError} when it is not there or fails, with the end of what it printed.
 */
export async function runTool(
  engine: string,
  command: string,
  args: readonly string[],
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await runFile(command, args, { maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT')
      throw new EngineStartError(engine, `there is no \`${command}\` on this machine.`, advice, { cause: error });
    throw new EngineStartError(engine, `\`${command}\` failed (${String(code)}).`, 'What it printed says why.', {
      logTail: `${stdout ?? ''}${stderr ?? ''}`.slice(-4_000),
      cause: error,
    });
  }
}
