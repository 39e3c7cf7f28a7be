// Draws docs/architecture.svg from docs/architecture.dot: npm run architecture. With --check: is the picture that of its text?
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Graphviz } from '@hpcc-js/wasm-graphviz';

const docs = join(import.meta.dirname, '..', 'docs');
const picture = join(docs, 'architecture.svg');

/** Colours of the classes in the text. The picture brings its own page, so that it reads on any other. */
const style = `
.page { fill: #ffffff; stroke: #d0d7de }
text { fill: #1f2328 }
.client text:first-of-type, .service text:first-of-type, .store text:first-of-type { font-weight: bold; font-size: 14px }
.edge path { stroke: #6e7781 }
.edge polygon { fill: #6e7781; stroke: #6e7781 }
.note text { fill: #57606a; stroke: #ffffff; stroke-width: 5px; paint-order: stroke }
.client path { fill: #f6f8fa; stroke: #8c959f }
.service path { fill: #ddf4ff; stroke: #0969da }
.store path { fill: #fff1d6; stroke: #bf8700 }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117; stroke: #30363d }
text { fill: #e6edf3 }
.edge path { stroke: #8b949e }
.edge polygon { fill: #8b949e; stroke: #8b949e }
.note text { fill: #9da7b1; stroke: #0d1117 }
.client path { fill: #161b22; stroke: #6e7681 }
.service path { fill: #0c2d6b; stroke: #58a6ff }
.store path { fill: #3b2300; stroke: #d29922 }
}
`;

/** Graphviz' own drawing, with classes in place of its colours. */
async function draw(): Promise<string> {
  const graphviz = await Graphviz.load();
  const drawn = graphviz.layout(readFileSync(join(docs, 'architecture.dot'), 'utf8'), 'svg', 'neato');
  const [, width = '', height = ''] = /viewBox="0\.00 0\.00 ([\d.]+) ([\d.]+)"/.exec(drawn) ?? [];
  const page = `<rect class="page" x="0.5" y="0.5" width="${Number(width) - 1}" height="${Number(height) - 1}" rx="8"/>`;
  const lines = drawn
    .split('\n')
    .filter(
      (line) =>
        !['<!--', ' -->', '<title>', '<polygon fill="white"', ' Pages:'].some((begin) => line.startsWith(begin)),
    );
  const group = lines.findIndex((line) => line.startsWith('<g id="graph0"'));
  const title = '<title>The parts of Millrace and what goes between them</title>';
  return lines.toSpliced(group, 0, title, `<style>${style}</style>`, page).join('\n');
}

const drawn = await draw();
if (!process.argv.includes('--check')) writeFileSync(picture, drawn);
else if (readFileSync(picture, 'utf8') !== drawn) {
  process.stdout.write('docs/architecture.svg is not the picture of docs/architecture.dot: npm run architecture\n');
  process.exitCode = 1;
}
