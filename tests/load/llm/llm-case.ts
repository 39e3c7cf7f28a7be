import type { Bench, Finding } from '../report/measurement.ts';
import type { SystemUnderTest } from '../system-under-test.ts';

/** One question about the features of language models, on a system that all cases share: each makes a project of its own. */
export interface LlmCase {
  name: string;
  measure: (system: SystemUnderTest, bench: Bench) => Promise<Finding>;
}
