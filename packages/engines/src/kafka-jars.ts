import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineStartError } from './engine-error.ts';
import { findForeignJars, type LockedJar } from './jar-lock.ts';
import { runTool } from './java.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const pomFile = join(checkout, 'infra/kafka/pom.xml');
const lockFile = join(checkout, 'infra/kafka/jars.json');
const copyJars = 'org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies';

/**
 * The folder with Kafka's jars, as `infra/kafka/pom.xml` names them. Maven fetches them once for a checkout (44 MB,
 * into `.tools`, which git ignores); `say` is called before it does. Each time, whether they were fetched or there
 * already, here or in Maven's own repository, their hashes are compared with `infra/kafka/jars.json`.
 * @throws {EngineStartError} when they are others, or are not there and Maven is missing or cannot fetch them.
 */
export async function kafkaJars(say: (line: string) => void, tools = join(checkout, '.tools')): Promise<string> {
  const [pom, lockText] = await Promise.all([readFile(pomFile, 'utf8'), readFile(lockFile, 'utf8')]);
  const lock = JSON.parse(lockText) as LockedJar[];
  const folder = join(
    tools,
    'kafka',
    createHash('sha256')
      .update(pom + lockText)
      .digest('hex')
      .slice(0, 12),
  );
  if (!(await isThere(folder))) await fetchInto(folder, lock, say);
  await requireLocked(folder, lock, `Remove ${folder} to fetch them again.`);
  return folder;
}

async function fetchInto(folder: string, lock: readonly LockedJar[], say: (line: string) => void): Promise<void> {
  say('fetching the Kafka broker with Maven: 44 MB, once');
  const part = `${folder}.part-${process.pid}`;
  await mkdir(dirname(folder), { recursive: true });
  try {
    // -C: a file that differs from the checksum beside it in its repository is an error, not a warning.
    await runTool('kafka', 'mvn', [
      '-q',
      '-B',
      '-C',
      '-f',
      pomFile,
      copyJars,
      `-DoutputDirectory=${part}`,
      '-DincludeScope=runtime',
    ]);
    await requireLocked(part, lock, "Remove them from Maven's local repository, and look where it fetches from.");
    await rename(part, folder).catch((error: NodeJS.ErrnoException) => {
      // Somebody else was quicker; theirs are the same.
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

/** @throws {EngineStartError} naming each jar that is not what the lock says. */
async function requireLocked(folder: string, lock: readonly LockedJar[], advice: string): Promise<void> {
  const errors = await findForeignJars(folder, lock);
  if (errors.length > 0)
    throw new EngineStartError(
      'kafka',
      `its jars are not those of infra/kafka/jars.json: ${errors.join('; ')}.`,
      advice,
    );
}

async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
