import type { Unit } from '../chart.ts';

const thousands = ['', 'K', 'M', 'B', 'T'];
const exponentFrom = 1e15;

/** Number in its unit, in few characters: `12.3K`, `45.6%`, `2d 3h`; `–` for null and what is not finite. */
export function shownNumber(value: number | null, unit: Unit): string {
  if (value === null || !Number.isFinite(value)) return '–';
  if (unit === 'seconds') return duration(value);
  return unit === 'percent' ? `${plain(Math.round(value * 10) / 10)}%` : plain(value);
}

/** Numbers of an axis, with as many decimals as tell its steps apart. */
export function shownTicks(ticks: readonly number[], unit: Unit): string[] {
  const step = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  const largest = Math.max(...ticks.map(Math.abs), 0);
  const power = Math.min(Math.floor(Math.log10(Math.max(largest, 1)) / 3), thousands.length - 1);
  if (unit === 'seconds' || step === 0 || largest >= exponentFrom || largest < 0.001)
    return ticks.map((tick) => shownNumber(tick, unit));
  const scale = 1000 ** power;
  const decimals = Math.min(Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9)), 9);
  const tail = `${thousands[power] ?? ''}${unit === 'percent' ? '%' : ''}`;
  return ticks.map((tick) =>
    tick === 0 ? `0${unit === 'percent' ? '%' : ''}` : `${(tick / scale).toFixed(decimals)}${tail}`,
  );
}

/** At most three significant digits below the thousands, and a letter for these. */
function plain(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= exponentFrom || size < 0.001)) return value.toExponential(1).replace('e+', 'e');
  let power = 0;
  let shown = rounded(value);
  while (Math.abs(shown) >= 1000 && power < thousands.length - 1) {
    power += 1;
    shown = rounded(value / 1000 ** power);
  }
  return `${shown}${thousands[power] ?? ''}`;
}

function rounded(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}

const units: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
];

/** The two largest units of a number of seconds: `2d 3h`, `9m 30s`, `0.4s`. */
function duration(seconds: number): string {
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? '-' : '';
  if (size < 59.5) return `${sign}${plain(size < 10 ? Math.round(size * 10) / 10 : Math.round(size))}s`;
  if (size >= 1000 * 86_400) return `${sign}${plain(size / 86_400)}d`;
  const place = units.findIndex(([, length]) => size >= length || length === 1);
  const [name, length] = units[place] ?? ['s', 1];
  const [nextName, nextLength] = units[place + 1] ?? ['s', 1];
  const whole = Math.round(size / nextLength) * nextLength;
  // 59 minutes and 59.8 seconds are an hour.
  if (size < whole && units.some(([, other]) => other === whole)) return `${sign}${duration(whole)}`;
  const rest = Math.round((whole % length) / nextLength);
  return `${sign}${Math.floor(whole / length)}${name}${rest === 0 ? '' : ` ${rest}${nextName}`}`;
}
