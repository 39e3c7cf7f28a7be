import { AppError } from '@millrace/http/errors/errors.ts';
import { nearestName } from '@millrace/query-language/nearest-name.ts';

/** The name as the time zone database writes it, whatever the case it came in. @throws {AppError} invalid_choice */
export function timezoneOf(name: string): string {
  const unknown = new AppError('invalid_choice', { attr: 'timezone', detail: notAZone(name) });
  // Offsets such as +01:00 are no zones: they know no summer.
  if (!/^[A-Za-z]/.test(name) || isOfOldJavaAlone(name)) throw unknown;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch (error) {
    if (error instanceof Error && error.name === 'RangeError') throw unknown;
    throw error;
  }
}

const threeLetters = new Set('CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' '));

/** JavaScript takes these too (BST for Dhaka), the database does not have them, and ClickHouse refuses each query with one. */
function isOfOldJavaAlone(name: string): boolean {
  const upper = name.toUpperCase();
  return (
    (upper.length === 3 && !threeLetters.has(upper)) ||
    upper.startsWith('SYSTEMV/') ||
    ['US/PACIFIC-NEW', 'CANADA/EAST-SASKATCHEWAN'].includes(upper)
  );
}

/** Zones by abbreviations that the database does not have. Those of several countries are not here. */
const zonesOfAbbreviations = new Map([
  ['pst', 'America/Los_Angeles'],
  ['pdt', 'America/Los_Angeles'],
  ['mdt', 'America/Denver'],
  ['cdt', 'America/Chicago'],
  ['edt', 'America/New_York'],
  ['cest', 'Europe/Berlin'],
  ['eest', 'Europe/Athens'],
  ['west', 'Europe/Lisbon'],
  ['jst', 'Asia/Tokyo'],
  ['aest', 'Australia/Sydney'],
  ['aedt', 'Australia/Sydney'],
]);

function notAZone(name: string): string {
  const meant = meantZone(name);
  return `"${name}" is not a time zone. Write ${meant ?? 'a name of the IANA database, such as Europe/Berlin'}.`;
}

/** The zone that a text was probably meant for: its city alone, an abbreviation, a misspelling. */
function meantZone(name: string): string | undefined {
  const plain = name.trim().toLowerCase().replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    zones.find((zone) => zone.toLowerCase() === plain) ??
    zones.find((zone) => zone.toLowerCase().endsWith(`/${plain}`)) ??
    zonesOfAbbreviations.get(plain) ??
    (plain.includes('/') ? nearestName(plain, zones) : undefined)
  );
}
