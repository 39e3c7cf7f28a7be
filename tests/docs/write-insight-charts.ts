import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSystem } from '../support/system.ts';
import { chartFolder, drawInsightCharts } from './insight-charts.ts';

// Draws the pictures of docs/insights.md anew. They change only when charts, or the insights of the page, do.
const system = await startSystem();
try {
  mkdirSync(chartFolder, { recursive: true });
  for (const [name, svg] of await drawInsightCharts(system)) writeFileSync(join(chartFolder, `${name}.svg`), svg);
} finally {
  await system.destroy();
}
