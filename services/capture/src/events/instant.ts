/** A moment: whole milliseconds since 1970, and 0–999 microseconds on top. */
export interface Instant {
  ms: number;
  us: number;
}

const daySeconds = 86_400;
const pairs = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
const triples = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));
// Events of one request share their day and mostly their second: those texts are cached, because the rest of a time
// costs little.
let keptDay = NaN;
let keptDayText = '';
let keptSecond = NaN;
let keptSecondText = '';

/** UTC with six digits: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, as `CapturedEvent` carries it. For years 0–9999. */
export function formatInstant({ ms, us }: Instant): string {
  const second = Math.floor(ms / 1000);
  if (second !== keptSecond) {
    keptSecondText = formatSecond(second);
    keptSecond = second;
  }
  return `${keptSecondText}${triples[ms - second * 1000]}${triples[us]}Z`;
}

function formatSecond(second: number): string {
  const day = Math.floor(second / daySeconds);
  if (day !== keptDay) {
    keptDayText = new Date(day * daySeconds * 1000).toISOString().slice(0, 11);
    keptDay = day;
  }
  const rest = second - day * daySeconds;
  const minutes = Math.floor(rest / 60);
  const hours = Math.floor(minutes / 60);
  return `${keptDayText}${pairs[hours]}:${pairs[minutes - hours * 60]}:${pairs[rest - minutes * 60]}.`;
}
