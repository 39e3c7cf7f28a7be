// npm run bench [-- names and flags]: what Millrace costs on this machine, each figure beside a bare one.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { BenchArgumentError, type BenchArguments, benchUsage, readBenchArguments } from './bench-arguments.ts';
import type { Line } from './report/measurement.ts';
import { measurements } from './measurements.ts';
import { type Circumstances, markdownReport, withReport } from './report/report.ts';

const document = join(import.meta.dirname, '../../docs/benchmarks.md');
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// The bootstrap that started this process is gone.
if (process.connected) process.on('disconnect', () => stop.abort());
// Unfinished work fails when its system goes. Before that, a rejection that nothing awaits is an error.
process.on('unhandledRejection', (error) => {
  if (!stop.signal.aborted) throw error;
});

try {
  const given = process.argv.slice(2);
  const requested = readBenchArguments(given, measurements);
  if (requested.isHelp) process.stdout.write(`${benchUsage(measurements)}\n`);
  else await run(requested, given);
  process.exit(0);
} catch (error) {
  if (!(error instanceof BenchArgumentError) && !stop.signal.aborted) throw error;
  say(error instanceof Error ? error.message : String(error));
  process.exit(stop.signal.aborted ? 130 : 2);
}

async function run({ names, json, writeTable, lengths }: BenchArguments, given: readonly string[]): Promise<void> {
  const circumstances = circumstancesOf(given);
  const skipped: string[] = [];
  const lines: Line[] = [];
  const figures: Record<string, number> = {};
  for (const { name, measure } of measurements.filter((measurement) => names.includes(measurement.name))) {
    const begun = performance.now();
    say(`${name}: starting a system …`);
    const found = await measure({ say: (line) => say(`  ${line}`), stop: stop.signal, lengths });
    lines.push(...found.lines);
    skipped.push(...(found.skipped ?? []));
    Object.assign(figures, found.figures);
    say(`${name}: done (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  }
  const report = markdownReport(lines, { ...circumstances, skipped });
  if (writeTable) writeFileSync(document, withReport(readFileSync(document, 'utf8'), report));
  process.stdout.write(json ? `${JSON.stringify({ ...circumstances, skipped, figures }, null, 2)}\n` : `${report}\n`);
}

function circumstancesOf(given: readonly string[]): Circumstances {
  const named = given.filter((word) => word !== '--json' && word !== '--write-table');
  return {
    date: new Date().toISOString().slice(0, 10),
    nodeVersion: process.versions.node,
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown processor',
    loadBefore: loadavg()[0] ?? 0,
    command: ['npm run bench', ...(named.length > 0 ? ['--', ...named] : [])].join(' '),
  };
}
