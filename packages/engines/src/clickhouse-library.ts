import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EngineStartError } from './engine-error.ts';

const libraryPackage = '@chdb/lib-linux-x64-gnu';

/**
 * Path of the library that holds ClickHouse.
 * @throws {EngineStartError} on a platform for which it is not installed.
 */
export function clickhouseLibrary(): string {
  const require = createRequire(import.meta.url);
  try {
    return join(dirname(require.resolve(`${libraryPackage}/package.json`)), 'libchdb.so');
  } catch (cause) {
    throw new EngineStartError(
      'clickhouse',
      `its library (npm package ${libraryPackage}) is not installed for this machine (${process.platform} ${process.arch}).`,
      'The ClickHouse out of npm runs on Linux x86-64 with glibc alone; elsewhere "npm start" says what works.',
      { cause },
    );
  }
}
