// Draws the golden files anew after a change of looks: node services/management-api/src/charts/testing/write-golden.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { goldenFolder, goldenPictures } from './golden.ts';

mkdirSync(goldenFolder, { recursive: true });
for (const { path, svg } of goldenPictures()) writeFileSync(path, svg);
