import type { Config } from 'jest';
import { handOverEngines, readGivenEngines } from './config.ts';
import { runNeedsEngines } from './needs-engines.ts';
import { startTestEngines, type StartedEngines } from './start-test-engines.ts';

/** Stored where global tear-down, another module of the same process, finds it. */
export const startedEngines: { current?: StartedEngines } = {};

/** Jest's configuration of the run; the part of its types that we use. */
type GlobalConfig = { rootDir: string; testPathPatterns: { patterns: readonly string[] } };
type ProjectConfig = Required<Pick<Config, 'testMatch' | 'testPathIgnorePatterns'>>;

/** Starts the engines once for all suites, if any of the selected files works with them. */
export default async function globalSetup(globalConfig: GlobalConfig, projectConfig: ProjectConfig): Promise<void> {
  const needed = await runNeedsEngines({
    rootDir: globalConfig.rootDir,
    patterns: globalConfig.testPathPatterns.patterns,
    testMatch: [projectConfig.testMatch].flat(),
    testPathIgnorePatterns: projectConfig.testPathIgnorePatterns,
  });
  if (!needed) return;
  startedEngines.current = await startTestEngines(readGivenEngines());
  handOverEngines(startedEngines.current.engines);
}
