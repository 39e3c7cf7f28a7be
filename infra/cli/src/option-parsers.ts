import { isUuid } from '@millrace/runtime/ids.ts';
import { InvalidArgumentError } from 'commander';

/** A whole number above zero. @throws {InvalidArgumentError} for anything else. */
export function parseId(text: string): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number > 0) return number;
  throw new InvalidArgumentError(`"${text}" is not an id: a whole number is expected.`);
}

/** Ids separated by commas. */
export function parseIds(text: string): number[] {
  return parseList(text).map(parseId);
}

/** Texts separated by commas, without blanks around them. @throws {InvalidArgumentError} when one is empty. */
export function parseList(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => part !== '')) return parts;
  throw new InvalidArgumentError('values separated by commas are expected.');
}

/** As `parseList`, but an empty text is an empty list. */
export function parseListOrNothing(text: string): string[] {
  return text.trim() === '' ? [] : parseList(text);
}

/** Level of a member. @throws {InvalidArgumentError} for a number that is none. */
export function parseLevel(text: string): number {
  if (['1', '8', '15'].includes(text)) return Number(text);
  throw new InvalidArgumentError('1 is a member, 8 an administrator, 15 an owner.');
}

/** A whole number, 0 or more. @throws {InvalidArgumentError} for anything else. */
export function parseCount(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number, 0 or more.`);
}

/** As `parseCount`, or `unset`. */
export function parseOptionalCount(text: string): number | 'unset' {
  return text === 'unset' ? text : parseCount(text);
}

/** Hours, up to a year, 0 and fractions too. @throws {InvalidArgumentError} for anything else. */
export function parseHours(text: string): number {
  const hours = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && hours <= 8_784) return hours;
  throw new InvalidArgumentError(`"${text}" is not a number of hours.`);
}

/** `on` or `off`. @throws {InvalidArgumentError} for anything else. */
export function parseSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError(`"${text}" is neither on nor off.`);
}

/** `on`, `off` or `unset`. @throws {InvalidArgumentError} for anything else. */
export function parseOptionalSwitch(text: string): boolean | 'unset' {
  return text === 'unset' ? text : parseSwitch(text);
}

/** Collects the values of an option that may be repeated. */
export function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

/** A UUID, in lower case. @throws {InvalidArgumentError} for anything else. */
export function parseUuid(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new InvalidArgumentError(`"${text}" is not a UUID.`);
}

/** A JSON object. @throws {InvalidArgumentError} for anything else. */
export function parseJsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    throw new InvalidArgumentError(`"${text}" is not JSON.`);
  }
  throw new InvalidArgumentError(`"${text}" is not a JSON object.`);
}

const timeForm = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?$/;

/** A day or a moment in UTC, as milliseconds since 1970. @throws {InvalidArgumentError} for anything else. */
export function parseTime(text: string): number {
  const ms = Date.parse(text);
  if (timeForm.test(text) && !Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError(`"${text}" is not a time in UTC: 2026-05-04 or 2026-05-04T10:00:00Z is expected.`);
}

/** As `parseTime`, for the end of what is made now. @throws {InvalidArgumentError} for a time that is past, too. */
export function parseEnd(text: string): number {
  const ms = parseTime(text);
  if (ms > Date.now()) return ms;
  throw new InvalidArgumentError(`"${text}" is past: an end must be in the future.`);
}

/** A day, as `2026-05-31`. @throws {InvalidArgumentError} for anything else. */
export function parseDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError(`"${text}" is not a day: one such as 2026-05-31 is expected.`);
}
