import { costOf, spend } from '../budget.ts';
import { nearestName } from '../nearest-name.ts';
import { SpanError } from '../query-error.ts';
import type { Resolved } from '../resolved.ts';
import { quoted, suggested, warn } from '../warnings.ts';
import { toText } from './conversions.ts';

// Zones that a query names. ClickHouse has a list of its own, which is not known here and may be newer than ours.

/** All names of IANA without a slash, and the files that a machine may have beside them: there are no new ones. */
const plainNames = new Set(
  (
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire Factory GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica ' +
    'Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET ' +
    'Zulu localtime posixrules'
  ).split(' '),
);

/** Abbreviations that are no names, with the zone that most people mean. */
const abbreviations: Readonly<Record<string, string>> = {
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  PT: 'America/Los_Angeles',
  MDT: 'America/Denver',
  MT: 'America/Denver',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  CT: 'America/Chicago',
  EDT: 'America/New_York',
  ET: 'America/New_York',
  BST: 'Europe/London',
  CEST: 'Europe/Berlin',
  MEZ: 'Europe/Berlin',
  MESZ: 'Europe/Berlin',
  EEST: 'Europe/Athens',
  WEST: 'Europe/Lisbon',
  MSK: 'Europe/Moscow',
  TRT: 'Europe/Istanbul',
  IST: 'Asia/Kolkata',
  SGT: 'Asia/Singapore',
  HKT: 'Asia/Hong_Kong',
  JST: 'Asia/Tokyo',
  KST: 'Asia/Seoul',
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
  NZST: 'Pacific/Auckland',
  NZDT: 'Pacific/Auckland',
  BRT: 'America/Sao_Paulo',
  Z: 'UTC',
};

/** A zone that a query names, as a text. Throws `invalid_value` for one that is surely none; warns of one that is not known here. */
export function zoneText(zone: Resolved): Resolved {
  if (zone.kind === 'constant' && typeof zone.value === 'string') checkZone(zone.value, zone);
  return toText(zone);
}

function checkZone(name: string, zone: Resolved): void {
  if (name === '' || plainNames.has(name) || knownNames().byName.has(name)) return;
  const meant = meantBy(name);
  if (!name.includes('/') || meant?.isSame)
    throw new SpanError('invalid_value', `${quoted(name)} is not a time zone${writeInstead(meant?.name)}`, zone);
  if (/^(?:Fixed|posix|right|SystemV)\//.test(name)) return;
  spend(costOf.zoneName, zone);
  if (isKnownToRuntime(name)) return;
  const near = suggested(`zone ${name}`, () => nearestName(name, knownNames().byName));
  warn('unknown_zone', `${quoted(name)} is not a time zone that is known here${writeInstead(near)}`, zone);
}

const writeInstead = (name: string | undefined): string =>
  name === undefined ? "; write one such as 'Europe/Berlin'" : `; write '${name}'`;

// `isSame`: another spelling of the same name.
function meantBy(name: string): { name: string; isSame: boolean } | undefined {
  const letters = name.trim().toLowerCase().replaceAll(' ', '_');
  const same = knownNames().bySpelling.get(letters);
  if (same !== undefined) return { name: same, isSame: true };
  const upper = letters.toUpperCase();
  if (/^(?:UTC|GMT)?[+-]\d/.test(upper)) return offsetZone(upper);
  const found =
    (Object.hasOwn(abbreviations, upper) ? abbreviations[upper] : undefined) ??
    knownNames().byCity.get(letters) ??
    (name.includes('/') ? undefined : nearestCity(letters));
  return found === undefined ? undefined : { name: found, isSame: false };
}

function nearestCity(letters: string): string | undefined {
  const { byCity } = knownNames();
  return byCity.get(nearestName(letters, byCity.keys()) ?? '');
}

// Etc/GMT-2 is two hours ahead of UTC.
function offsetZone(name: string): { name: string; isSame: boolean } | undefined {
  const [, sign = '', hours = ''] = /^(?:UTC|GMT)?([+-])0?(\d{1,2})(?::?00)?$/.exec(name) ?? [];
  if (hours === '' || Number(hours) > 12) return undefined;
  return { name: Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`, isSame: false };
}

interface KnownNames {
  byName: ReadonlySet<string>;
  /** In lower case. */
  bySpelling: ReadonlyMap<string, string>;
  /** By the last part, in lower case. */
  byCity: ReadonlyMap<string, string>;
}
let known: KnownNames | undefined;

function knownNames(): KnownNames {
  const names = known === undefined ? Intl.supportedValuesOf('timeZone') : [];
  known ??= {
    byName: new Set(names),
    bySpelling: new Map([...plainNames, ...names].map((name) => [name.toLowerCase(), name])),
    byCity: new Map(names.map((name) => [name.slice(name.lastIndexOf('/') + 1).toLowerCase(), name])),
  };
  return known;
}

// Links to other zones too, which the list above has not.
function isKnownToRuntime(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
