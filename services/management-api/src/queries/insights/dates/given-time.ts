import { readMoment, type Now } from '@millrace/query-language/filters/relative-time.ts';
import { parseTime } from '@millrace/query-language/values.ts';
import { onQuery } from '../../definition/variables.ts';
import { momentAt, msOf } from './moments.ts';

/** A text of `dateRange` (contract/insights 4). */
export type GivenTime =
  /** Such as `-7d` or `mStart`; `unit`: one of `M h d w m q y`, `edge`: with `Start` or `End`. */
  | { form: 'relative'; unit: string; count: number; edge: boolean; moment: string }
  /** A bare date: its midnight as if it were UTC, in milliseconds. */
  | { form: 'date'; day: number }
  | { form: 'time'; moment: string };

const relativePattern = /^(?:-?(\d{1,4}))?([Mhdwmqy])(Start|End)?$/;

/** Is it a text such as `-7d` or `mStart`? */
export const isRelative = (text: string): boolean => parseRelative(text.trim()) !== undefined;

/** Parts of a text such as `-7d` or `-1mStart`; undefined: it is none. */
export function parseRelative(text: string): { unit: string; count: number; edge: boolean } | undefined {
  const [whole, count, unit = '', edge] = relativePattern.exec(text) ?? [];
  // A unit alone is no time.
  if (whole === undefined || (count === undefined && edge === undefined)) return undefined;
  return { unit, count: Number(count ?? 0), edge: edge !== undefined };
}

/**
 * Reads a text; `field` names it. The minus may be left out. Pure.
 * @throws {AppError} 400 on `query`
 */
export function readGivenTime(text: string, field: string, now: Now): GivenTime {
  const trimmed = text.trim();
  const relative = parseRelative(trimmed);
  if (relative !== undefined) {
    const { first } = readMoment(trimmed, now, field);
    return { form: 'relative', ...relative, moment: relative.edge ? first : withFraction(first, now) };
  }
  if (parseTime(trimmed) === undefined)
    throw onQuery(
      `${field}: ${JSON.stringify(trimmed.slice(0, 50))} is not a time. Write 2026-01-31, 2026-01-31T12:00:00Z, -7d or mStart.`,
    );
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return { form: 'date', day: Date.parse(`${trimmed}T00:00:00Z`) };
  return { form: 'time', moment: readMoment(trimmed, now, field).first };
}

// Days and months are counted on clocks of whole seconds; `-7d` is the last 168 hours to the millisecond (contract/insights 5.3).
function withFraction(moment: string, { nowMs }: Now): string {
  return momentAt(Math.floor(msOf(moment) / 1_000) * 1_000 + (((nowMs % 1_000) + 1_000) % 1_000));
}
