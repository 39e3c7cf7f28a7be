import { joined, type Finding, type Measurement } from '../report/measurement.ts';
import { withSystem } from '../system-under-test.ts';
import { llmCases } from './llm-cases.ts';

/** Traces of language models: reading, rendering and reviewing them. */
export const llmMeasurement: Measurement = {
  name: 'llm',
  measure: (bench) =>
    withSystem(bench.stop, async (system): Promise<Finding> => {
      const findings: Finding[] = [];
      for (const { name, measure } of llmCases) {
        bench.say(`${name} …`);
        findings.push(await measure(system, bench));
      }
      return joined(...findings);
    }),
};
