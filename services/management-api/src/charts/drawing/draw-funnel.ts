import type { FunnelChart, FunnelStep } from '../chart.ts';
import {
  andMore,
  joinedRests,
  rectangle,
  textAt,
  textSize,
  widest,
  type Box,
  type Draw,
  type Drawing,
} from './layout.ts';
import { shownNumber } from './shown-number.ts';
import type { SvgElement } from './svg.ts';
import { boldFactor } from './text-width.ts';
import { coloursMax, type Ink } from './theme.ts';

type Group = FunnelChart['groups'][number];

/** Steps below each other: a bar for the share of the first step, its numbers, and the way from the step before. */
export const drawFunnel: Draw<'funnel'> = ({ groups }, box, ink) =>
  groups.length === 1 && groups[0] !== undefined
    ? oneFunnel(groups[0].steps, box, ink)
    : severalFunnels(groups, box, ink);

function oneFunnel(all: readonly FunnelStep[], box: Box, ink: Ink): Drawing {
  const steps = all.slice(0, Math.max(1, Math.floor(box.height / 17)));
  const row = Math.min(box.height / steps.length, 72);
  const hasWay = row >= 34;
  const bar = Math.min(row - (hasWay ? 20 : 3), 34);
  const labels = steps.map(({ label }, index) => `${index + 1}. ${label}`);
  const labelWidth = widest(labels, textSize.label, box.width * 0.28);
  const numbers = steps.map((step) => numbersOf(step, all[0]));
  const numberWidth = boldFactor * widest(numbers, textSize.label, box.width * 0.45);
  const left = box.x + labelWidth + 12;
  const full = Math.max(1, box.width - labelWidth - 12 - numberWidth - 10);
  const elements = steps.flatMap((step, index) => {
    const y = box.y + index * row + (hasWay ? 16 : 0);
    const way = wayTo(step, all[index - 1]);
    const share = shareOf(step.count, all[0]?.count ?? 0);
    const base = y + bar / 2 + 4;
    return [
      ...(hasWay && way !== undefined
        ? [
            textAt(ink, {
              x: left,
              y: y - 5,
              text: `↓ ${way}`,
              size: textSize.small,
              colour: 'quiet',
              widthMax: box.width - labelWidth - 12,
            }),
          ]
        : []),
      textAt(ink, { x: box.x, y: base, text: labels[index] ?? '', widthMax: labelWidth + 1 }),
      rectangle({ x: left, y, width: full, height: bar }, { rx: 3, ...ink.fill('track') }),
      rectangle({ x: left, y, width: full * share, height: bar }, { rx: 3, ...ink.fill(0) }),
      textAt(ink, { x: left + full + 10, y: base, text: numbers[index] ?? '', isBold: true }),
    ];
  });
  return { elements, rest: andMore(all.length - steps.length, 'step') };
}

/** For each step a heading, and a bar for each value of the breakdown. */
function severalFunnels(all: readonly Group[], box: Box, ink: Ink): Drawing {
  const stepsMost = Math.max(...all.map(({ steps }) => steps.length));
  const stepCount = Math.max(1, Math.min(stepsMost, Math.floor(box.height / 32)));
  const fitting = Math.max(1, Math.floor((box.height / stepCount - 18) / 14));
  const groups = all.slice(0, Math.min(fitting, coloursMax));
  const bar = Math.min((box.height / stepCount - 20) / groups.length, 24);
  const block = Math.min(box.height / stepCount, 36 + groups.length * bar);
  const labelWidth = widest(
    groups.map(({ label }) => label),
    textSize.small,
    box.width * 0.25,
  );
  const numbers = groups.map(({ steps }) => steps.map((step) => numbersOf(step, steps[0])));
  const numberWidth = widest(numbers.flat(), textSize.small, box.width * 0.4);
  const left = box.x + labelWidth + 10;
  const full = Math.max(1, box.width - labelWidth - numberWidth - 20);
  const elements = Array.from({ length: stepCount }, (_, place) => place).flatMap((place): SvgElement[] => {
    const top = box.y + place * block;
    const heading = `${place + 1}. ${groups[0]?.steps[place]?.label ?? ''}`;
    return [
      textAt(ink, { x: box.x, y: top + 12, text: heading, isBold: true, widthMax: box.width }),
      ...groups.flatMap(({ label, steps }, index) => {
        const y = top + 18 + index * bar;
        const size = textSize.small;
        const share = shareOf(steps[place]?.count ?? 0, steps[0]?.count ?? 0);
        const area = { x: left, y, width: full, height: bar - 2 };
        return [
          textAt(ink, {
            x: box.x + labelWidth,
            y: y + bar / 2 + 3,
            text: label,
            size,
            anchor: 'end',
            widthMax: labelWidth + 1,
          }),
          rectangle(area, { rx: 2, ...ink.fill('track') }),
          rectangle({ ...area, width: full * share }, { rx: 2, ...ink.fill(index) }),
          textAt(ink, { x: left + full + 10, y: y + bar / 2 + 3, text: numbers[index]?.[place] ?? '', size }),
        ];
      }),
    ];
  });
  const rests = [andMore(all.length - groups.length, 'value'), andMore(stepsMost - stepCount, 'step')];
  return { elements, rest: joinedRests(rests) };
}

function shareOf(count: number, of: number): number {
  return of > 0 ? Math.min(Math.max(count / of, 0), 1) : 0;
}

/** "12.3K · 45.6%": how many got there, and of how many in the first step. */
function numbersOf({ count }: FunnelStep, first: FunnelStep | undefined): string {
  return `${shownNumber(count, 'count')} · ${shownNumber(shareOf(count, first?.count ?? 0) * 100, 'percent')}`;
}

/** "50% went on, median 7h"; undefined for the first step. */
function wayTo({ count, medianSeconds }: FunnelStep, before: FunnelStep | undefined): string | undefined {
  if (before === undefined) return undefined;
  const share = `${shownNumber(shareOf(count, before.count) * 100, 'percent')} went on`;
  return medianSeconds === null ? share : `${share}, median ${shownNumber(medianSeconds, 'seconds')}`;
}
