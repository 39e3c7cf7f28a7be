import { describe, expect, test } from '@jest/globals';
import { addProcessMetrics, Counter, createMetrics, Gauge, Histogram, keepFormerNames, Registry } from './metrics.ts';

/** Lines of the figures, without comments. */
async function figures(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

// Whoever watches a process does so until it ends: an app must not.
test('a new registry shows nothing; metrics of the process are labelled as its others', async () => {
  const registry = createMetrics('tested');
  expect(await figures(registry)).toEqual([]);
  addProcessMetrics(registry);
  const shown = await figures(registry);
  expect(shown).toContainEqual(expect.stringMatching(/^process_cpu_seconds_total\{service="tested"\} \d/));
  expect(shown.filter((line) => !line.includes('service="tested"'))).toEqual([]);
});

describe('a metric under its former name', () => {
  test('has the same values and labels, of every kind of metric', async () => {
    const registry = new Registry();
    const registers = [registry];
    const counter = new Counter({ name: 'new_total', help: 'h', labelNames: ['lane'], registers });
    const gauge = new Gauge({ name: 'new_bytes', help: 'h', registers });
    const histogram = new Histogram({ name: 'new_seconds', help: 'h', buckets: [1], registers });
    keepFormerNames(registry, { new_total: 'old_total', new_bytes: 'old_bytes', new_seconds: 'old_seconds' });
    counter.inc({ lane: 'main' }, 3);
    gauge.set(5);
    histogram.observe(0.5);
    const shown = await figures(registry);
    expect(shown.filter((line) => line.startsWith('new_'))).toHaveLength(6);
    expect(shown.filter((line) => line.startsWith('old_'))).toEqual(
      shown.filter((line) => line.startsWith('new_')).map((line) => line.replace('new_', 'old_')),
    );
  });

  test('collects once for each name, and documents which name stays', async () => {
    const registry = new Registry();
    let value = 0;
    new Gauge({
      name: 'new',
      help: 'h',
      registers: [registry],
      collect() {
        this.set((value += 1));
      },
    });
    new Histogram({ name: 'new_seconds', help: 'h', registers: [registry] });
    keepFormerNames(registry, { new: 'old', new_seconds: 'old_seconds' });
    const shown = await registry.metrics();
    for (const kind of ['', '_seconds'])
      expect(shown).toContain(`# HELP old${kind} Former name of new${kind}, gone in the next release`);
    expect(shown).toContain('# HELP new_seconds h\n');
    expect(value).toBe(2);
  });

  test('needs a metric', () => {
    expect(() => keepFormerNames(new Registry(), { none: 'old' })).toThrow('no metric none');
  });
});
