import type { LogKind } from './rig/rig.ts';

/** Arguments of `npm run faults`. */
export interface FaultsArguments {
  /** Names of scenarios, in the order of the list. */
  names: string[];
  /** Minutes of faults in each scenario; null: the short form. */
  minutes: number | null;
  /** Null: both, Kafka where a broker can be started. */
  log: LogKind | null;
  /** Brokers that are there already. */
  brokers: string | null;
  json: boolean;
  list: boolean;
  /** Only the usage is printed. */
  isHelp: boolean;
}

/** The command line cannot be understood; the message says what can be. */
export class FaultsArgumentError extends Error {
  override name = 'FaultsArgumentError';
}

/** Usage of `npm run faults`. */
export const faultsUsage = `Usage: npm run faults -- [--scenario NAME[,NAME…]] [--minutes N] [--log embedded|kafka | --kafka HOST:PORT] [--json]
  --scenario  those alone; without it all
  --minutes   how long each is hurt; without it a short form of seconds
  --log       the event log: in a folder, or on a broker that is started for it; without it both
  --kafka     brokers that are there already; what hurts the broker is left out
  --json      the outcomes as JSON, with everything that was counted
  --list      names the scenarios and runs none`;

/** Reads the command line. Pure. @throws {FaultsArgumentError} */
export function readFaultsArguments(given: readonly string[], known: readonly string[]): FaultsArguments {
  const read: FaultsArguments = {
    names: [...known],
    minutes: null,
    log: null,
    brokers: null,
    json: false,
    list: false,
    isHelp: false,
  };
  const words = given.flatMap((word) =>
    /^--\w+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word],
  );
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === '--json') read.json = true;
    else if (word === '--list') read.list = true;
    else if (word === '--help' || word === '-h') read.isHelp = true;
    else if (word === '--scenario') read.names = namesOf(words[++at], known);
    else if (word === '--minutes') read.minutes = minutesOf(words[++at]);
    else if (word === '--log') read.log = logOf(words[++at]);
    else if (word === '--kafka') read.brokers = brokersOf(words[++at]);
    else throw new FaultsArgumentError(`Not known: ${word}.\n\n${faultsUsage}`);
  }
  if (read.brokers !== null && read.log === 'embedded')
    throw new FaultsArgumentError(`--kafka and --log embedded contradict each other.\n\n${faultsUsage}`);
  return read.brokers === null ? read : { ...read, log: 'kafka' };
}

function namesOf(text: string | undefined, known: readonly string[]): string[] {
  const wanted = (text ?? '').split(',').filter(Boolean);
  const strange = wanted.filter((name) => !known.includes(name));
  if (wanted.length === 0 || strange.length > 0)
    throw new FaultsArgumentError(`There is no scenario "${strange.join(', ')}". Scenarios: ${known.join(', ')}.`);
  return known.filter((name) => wanted.includes(name));
}

function minutesOf(text: string | undefined): number {
  const minutes = Number(text);
  if (text !== undefined && minutes > 0 && minutes <= 24 * 60) return minutes;
  throw new FaultsArgumentError(`--minutes needs a number above 0, not "${text ?? ''}".`);
}

function logOf(text: string | undefined): LogKind {
  if (text === 'embedded' || text === 'kafka') return text;
  throw new FaultsArgumentError(`--log needs embedded or kafka, not "${text ?? ''}".`);
}

function brokersOf(text: string | undefined): string {
  if (text !== undefined && /^[^\s,:]+:\d+(?:,[^\s,:]+:\d+)*$/.test(text)) return text;
  throw new FaultsArgumentError(`--kafka needs brokers as host:port, with commas between, not "${text ?? ''}".`);
}
