import { parseArgs } from 'node:util';

/** How long measurements take that can be short or long. */
export interface Lengths {
  /** Minutes of a sustained or full load; null: the short form. */
  minutes: number | null;
  /** How long ClickHouse is away; null: the short form. */
  outageSeconds: number | null;
  /** The harder rates instead of the ones of the bars. */
  stretch: boolean;
  /** How many events traces lie among; null: the short form. */
  events: number | null;
}

/** Arguments of the bench. */
export interface BenchArguments {
  /** Measurements, in the order of the list of those that there are. */
  names: string[];
  json: boolean;
  writeTable: boolean;
  /** Only the usage is printed. */
  isHelp: boolean;
  lengths: Lengths;
}

/** Known measurements. */
interface Known {
  name: string;
  onlyByName?: boolean;
}

/** The command line cannot be understood; the message says what can be. */
export class BenchArgumentError extends Error {
  override name = 'BenchArgumentError';
}

const options = {
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  'write-table': { type: 'boolean' },
  stretch: { type: 'boolean' },
  minutes: { type: 'string' },
  'outage-seconds': { type: 'string' },
  events: { type: 'string' },
} as const;

/** Reads the command line: names of measurements (none: all that are not for names alone) and flags, in any order. Pure. @throws {BenchArgumentError} */
export function readBenchArguments(given: readonly string[], known: readonly Known[]): BenchArguments {
  const { values, positionals } = parse(given, known);
  const strange = positionals.filter((word) => !known.some(({ name }) => name === word));
  if (strange.length > 0) throw new BenchArgumentError(`Not known: ${strange.join(', ')}.\n\n${benchUsage(known)}`);
  const chosen = known.filter(({ name, onlyByName }) =>
    positionals.length === 0 ? onlyByName !== true : positionals.includes(name),
  );
  return {
    names: chosen.map(({ name }) => name),
    json: values.json ?? false,
    writeTable: values['write-table'] ?? false,
    isHelp: values.help ?? false,
    lengths: {
      minutes: positive(values.minutes, '--minutes'),
      outageSeconds: positive(values['outage-seconds'], '--outage-seconds'),
      stretch: values.stretch ?? false,
      events: positive(values.events, '--events'),
    },
  };
}

function parse(given: readonly string[], known: readonly Known[]) {
  try {
    return parseArgs({ args: [...given], options, allowPositionals: true });
  } catch (error) {
    throw new BenchArgumentError(`${(error as Error).message}\n\n${benchUsage(known)}`);
  }
}

/** Usage of `npm run bench`. Pure. */
export function benchUsage(known: readonly Known[]): string {
  const byName = known.filter(({ onlyByName }) => onlyByName === true).map(({ name }) => name);
  return `Usage: npm run bench -- [NAME…] [--json] [--write-table] [--stretch] [--minutes N] [--outage-seconds N] [--events N]
  NAME              ${known.map(({ name }) => name).join(', ')}; without a name all but ${byName.join(', ')}
  --json            the figures as JSON
  --write-table     puts the table into docs/benchmarks.md
  --stretch         loads with the harder rates
  --minutes         how long sustained and full loads last; without it a short form
  --outage-seconds  how long ClickHouse is away; without it a short form
  --events          how many events traces are read among; without it 1,000,000`;
}

function positive(text: string | undefined, flag: string): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value)))
    throw new BenchArgumentError(`${flag} needs a number above 0, not "${text}".`);
  return value;
}
