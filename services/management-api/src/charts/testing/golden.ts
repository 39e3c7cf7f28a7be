import { join } from 'node:path';
import { drawChart } from '../drawing/draw-chart.ts';
import { sampleCharts } from './sample-charts.ts';

export const goldenFolder = join(import.meta.dirname, '..', 'drawing', 'golden');

/** Pictures of the samples as they are drawn now, with the file that holds each; one of them for readers of both themes. */
export function goldenPictures(): { name: string; path: string; svg: string }[] {
  const looks = Object.keys(sampleCharts).flatMap((form) => [
    { form, theme: 'light' as const },
    { form, theme: 'dark' as const },
  ]);
  return [...looks, { form: 'line', theme: 'auto' as const }].flatMap(({ form, theme }) => {
    const chart = sampleCharts[form];
    const name = `${form}-${theme}`;
    return chart === undefined
      ? []
      : [{ name, path: join(goldenFolder, `${name}.svg`), svg: drawChart(chart, { theme }) }];
  });
}
