import type { Chart, Series, Unit } from '../chart.ts';
import { shownNumber } from './shown-number.ts';
import { fitted } from './text-width.ts';

/** Things that are told one by one; the rest is counted. */
const toldMax = 12;

/** Contents of a chart in words, for readers who do not see it. */
export function describeChart(chart: Chart): string {
  if (isEmpty(chart)) return 'No data.';
  switch (chart.form) {
    case 'line':
    case 'bars':
      return `${chart.form === 'line' ? 'Line' : 'Bar'} chart from ${name(chart.labels[0])} to ${name(chart.labels.at(-1))}. ${told(chart.series.map((one) => lastAndMost(one, chart.unit)))}`;
    case 'totals':
      return `Bar chart. ${told(chart.labels.map((label, index) => `${name(label)}: ${chart.series.map(({ values }) => shownNumber(values[index] ?? null, chart.unit)).join(', before: ')}`))}`;
    case 'funnel':
      return `Funnel. ${told(chart.groups.map(({ label, steps }) => `${label === '' ? '' : `${name(label)}: `}${steps.map((step) => `${name(step.label)} ${shownNumber(step.count, 'count')}`).join(', ')}`))}`;
    case 'heat-map':
      return `Retention. ${told(
        chart.rows.map(
          ({ label, values }) =>
            `${name(label)}: ${values
              .slice(0, toldMax)
              .map((value) => shownNumber(value, 'percent'))
              .join(', ')}`,
        ),
      )}`;
    case 'numbers':
      return told(chart.numbers.map(({ label, value, unit }) => `${name(label)}: ${shownNumber(value, unit)}`));
    case 'table':
      return `Table of ${chart.rows.length} rows. ${told(chart.rows.map((row) => row.map((value) => (typeof value === 'string' ? name(value) : shownNumber(value, 'count'))).join(', ')))}`;
  }
}

/** True when there is nothing to draw. */
export function isEmpty(chart: Chart): boolean {
  switch (chart.form) {
    case 'line':
    case 'bars':
    case 'totals':
      return chart.labels.length === 0 || chart.series.length === 0;
    case 'funnel':
      return chart.groups.every(({ steps }) => steps.length === 0);
    case 'heat-map':
      return chart.rows.length === 0 || chart.columns.length === 0;
    case 'numbers':
      return chart.numbers.length === 0;
    case 'table':
      return chart.rows.length === 0 || chart.columns.length === 0;
  }
}

function lastAndMost({ label, values }: Series, unit: Unit): string {
  const known = values.filter((value) => value !== null);
  const most = known.reduce<number | null>((best, value) => (best === null || value > best ? value : best), null);
  return `${name(label)}: last ${shownNumber(known.at(-1) ?? null, unit)}, highest ${shownNumber(most, unit)}`;
}

function name(text: string | undefined): string {
  return fitted(text ?? '', 1, 60);
}

function told(sentences: readonly string[]): string {
  const rest = sentences.length - toldMax;
  return `${sentences.slice(0, toldMax).join('. ')}.${rest > 0 ? ` And ${rest} more.` : ''}`;
}
