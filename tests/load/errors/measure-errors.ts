import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { readContainer } from '@millrace/symbolication/container/read-container.ts';
import { type RawFrame, readFrame } from '@millrace/symbolication/frames/raw-frame.ts';
import { resolveFrame } from '@millrace/symbolication/frames/resolve-frame.ts';
import { contextLines, contextOf, lineLengthMax } from '@millrace/symbolication/frames/source-context.ts';
import { compileIndex } from '@millrace/symbolication/index/compile-index.ts';
import { openIndex, type SymbolIndex } from '@millrace/symbolication/index/symbol-index.ts';
import { containerOf, scriptAndMap } from '@millrace/symbolication/testing/containers.ts';
import { judge } from '../report/bars.ts';
import { count, figure, spread } from '../report/format.ts';
import { type Bench, type Finding, joined, type Measurement } from '../report/measurement.ts';
import { median, spreadOf } from '../report/statistics.ts';
import { type GeneratedBundle, generateBundle } from './generated-bundle.ts';
import { measureLane } from './lane/measure-lane.ts';

const sizes = { warm: 350_000, cold: 1_000_000 };
const rounds = 7;
const warmUp = 5;
const bars = { framesPerSecond: 50_000, share: 0.5, compileMs: 1_500, openMs: 50, bytes: 32 };

/** Symbols of exceptions: frames that are resolved with their context, maps that are compiled, and the lane of exceptions. */
export const errorsMeasurement: Measurement = {
  name: 'errors',
  measure: async (bench) => joined(measureCold(bench), measureWarm(bench), await measureLane(bench)),
};

/** Rates by an index at hand, beside a loop over trace-mapping that takes context from texts that it has cut into lines. */
function measureWarm(bench: Bench): Finding {
  const bundle = generateBundle(sizes.warm);
  const index = openIndex(compileIndex(bundle.script, bundle.map));
  const sent = bundle.places.map(sentFrame);
  const bare = bareLoop(bundle);
  const round = () => ({
    frames: perSecond(sent, (frame) => resolveFrame(readFrame(frame) as RawFrame, () => index)[0]?.record?.context),
    lookUps: perSecond(bundle.places, (place) => lookUp(index, place)),
    bare: perSecond(bundle.places, bare),
  });
  // V8 optimizes all of them in the first rounds.
  for (let count = 0; count < warmUp; count++) round();
  const figures = Array.from({ length: rounds }, round);
  const frames = spreadOf(figures.map((one) => one.frames));
  const lookUps = spreadOf(figures.map((one) => one.lookUps));
  const theirs = spreadOf(figures.map((one) => one.bare));
  const share = median(figures.map((one) => one.lookUps / one.bare));
  const ofFrames = median(figures.map((one) => one.frames / one.bare));
  bench.say(
    `warm: ${count(frames.median)} frames/s, ${count(lookUps.median)} look-ups/s, bare ${count(theirs.median)}/s`,
  );
  const beside = `trace-mapping with context: ${spread(theirs, '/s')}`;
  return {
    lines: [
      {
        what: `errors: look-ups in ${count(bundle.segments)} segments with name and context, a second of CPU`,
        millrace: spread(lookUps, '/s'),
        beside,
        ratio: figure(share),
        verdicts: [judge(share, { least: bars.share })],
      },
      {
        what: 'errors: the same of frames, from what was sent to frame and record with their id',
        millrace: spread(frames, 'frames/s'),
        beside,
        ratio: figure(ofFrames),
        verdicts: [judge(frames.median, { least: bars.framesPerSecond, unit: ' frames/s' })],
      },
    ],
    figures: {
      errors_frames_per_second: frames.median,
      errors_look_ups_per_second: lookUps.median,
      errors_look_ups_share_of_bare: share,
      errors_frames_share_of_bare: ofFrames,
    },
  };
}

function lookUp(index: SymbolIndex, { line, column }: Place): unknown {
  const found = index.lookUp(line - 1, column - 1);
  return found !== null && { ...found, context: contextOf(index, found.sourceIndex, found.line) };
}

/** CPU from a container to the first frame, and from an index in a file to it. */
function measureCold(bench: Bench): Finding {
  const bundle = generateBundle(sizes.cold);
  const container = containerOf(scriptAndMap(bundle.script, bundle.map));
  const payloadBytes = Buffer.byteLength(bundle.script) + Buffer.byteLength(bundle.map);
  const compiled = Array.from({ length: rounds }, () =>
    cpuMsOf(() => firstFrame(openIndex(compile(container)), bundle)),
  );
  const bare = Array.from({ length: rounds }, () => cpuMsOf(() => bareLoop(bundle)(bundle.places[0] as Place)));
  const index = compile(container);
  const texts = (JSON.parse(bundle.map) as { sourcesContent: string[] }).sourcesContent;
  const bytes = (index.length - texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)) / bundle.segments;
  const opened = timesToOpen(index, bundle);
  const [ours, theirs, open] = [spreadOf(compiled), spreadOf(bare), spreadOf(opened)];
  bench.say(
    `cold: ${figure(ours.median)} ms of CPU, with the index ${figure(open.median)} ms; ${figure(bytes)} bytes a segment`,
  );
  const what = `errors: a container of ${figure(payloadBytes / 1e6)} MB, ${count(bundle.segments)} segments`;
  return {
    lines: [
      {
        what: `${what}, to its first frame, CPU`,
        millrace: spread(ours, 'ms'),
        beside: `trace-mapping, without names of functions: ${spread(theirs, 'ms')}`,
        ratio: `${figure(ours.median / theirs.median)} times`,
        verdicts: [judge(ours.median, { most: bars.compileMs, unit: ' ms' })],
      },
      {
        what: 'errors: the same by its index in a file, CPU',
        millrace: spread(open, 'ms'),
        beside: '',
        ratio: '',
        verdicts: [judge(open.median, { most: bars.openMs, unit: ' ms' })],
      },
      {
        what: 'errors: index, bytes a segment without the texts of sources',
        millrace: figure(bytes),
        beside: '',
        ratio: '',
        verdicts: [judge(bytes, { most: bars.bytes })],
      },
    ],
    figures: { errors_cold_cpu_ms: ours.median, errors_cold_index_ms: open.median, errors_index_segment_bytes: bytes },
  };
}

type Place = GeneratedBundle['places'][number];

const sentFrame = ({ line, column }: Place) => ({
  platform: 'web:javascript',
  filename: 'https://shop.example/assets/bundle.js',
  function: 'f',
  lineno: line,
  colno: column,
  in_app: true,
});

function firstFrame(index: SymbolIndex, { places }: GeneratedBundle): void {
  const [first] = resolveFrame(readFrame(sentFrame(places[0] as Place)) as RawFrame, () => index);
  if (first?.frame.resolved_name === undefined || first.record?.context === null)
    throw new Error('the first frame is not resolved');
}

function compile(container: Buffer): Buffer {
  const read = readContainer(container);
  if (read.kind !== 'source map') throw new Error('the container holds something else');
  return compileIndex(read.script, read.map);
}

/** Looks places up as a short program would: trace-mapping, and lines of texts that are cut once. */
function bareLoop({ map }: GeneratedBundle): (place: Place) => unknown {
  const trace = new TraceMap(map);
  const lines = new Map(
    trace.sources.map((source, index) => [source, trace.sourcesContent?.[index]?.split('\n') ?? []]),
  );
  return ({ line, column }) => {
    const found = originalPositionFor(trace, { line, column: column - 1 });
    const all = lines.get(found.source) ?? [];
    const at = found.line ?? 1;
    const numbered = (from: number, to: number) =>
      all
        .slice(Math.max(from, 0), to)
        .map((text, index) => ({ number: from + index + 1, line: text.slice(0, lineLengthMax) }));
    return {
      ...found,
      before: numbered(at - 1 - contextLines, at - 1),
      line: numbered(at - 1, at)[0],
      after: numbered(at, at + contextLines),
    };
  };
}

/** Rate by the CPU of all threads, so that other processes of the machine do not count. */
function perSecond<Item>(items: readonly Item[], work: (item: Item) => unknown): number {
  const ms = cpuMsOf(() => {
    for (const item of items) if (!work(item)) throw new Error('a frame is not resolved');
  });
  return (items.length / ms) * 1_000;
}

function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function timesToOpen(index: Buffer, bundle: GeneratedBundle): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-errors-'));
  try {
    const file = join(folder, 'index');
    writeFileSync(file, index);
    return Array.from({ length: rounds }, () => cpuMsOf(() => firstFrame(openIndex(readFileSync(file)), bundle)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
