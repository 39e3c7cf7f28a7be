import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from './java.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const pomFile = join(checkout, 'infra/kafka/pom.xml');

/**
 * The folder with Kafka's jars, as `infra/kafka/pom.xml` names them. Maven fetches them once for a checkout (44 MB, into
 * `.tools`, which git ignores); `say` is told before it does.
 * @throws {EngineStartError} when they are not there and Maven is missing or cannot fetch them.
 */
export async function kafkaJars(say: (line: string) => void): Promise<string> {
  const pom = await readFile(pomFile);
  const folder = join(checkout, '.tools/kafka', createHash('sha256').update(pom).digest('hex').slice(0, 12));
  if (await isThere(folder)) return folder;
  say('fetching the Kafka broker with Maven: 44 MB, once');
  const part = `${folder}.part-${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  try {
    await runTool('kafka', 'mvn', ['-q', '-B', '-f', pomFile, 'dependency:copy-dependencies', `-DoutputDirectory=${part}`, '-DincludeScope=runtime']);
    await rename(part, folder).catch((error: NodeJS.ErrnoException) => {
      // Somebody else was quicker; theirs are the same.
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
