// Bundles shop/ by each bundler, runs the bundle, and writes bundle, map and the stacks of its errors:
//   npm install && node make-bundles.mjs ../../../packages/symbolication/src/testing/bundles
// Expected frames are those of shop/ itself, run as it is.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';
import terser from '@rollup/plugin-terser';
import { minifySync } from '@swc/core';
import { build } from 'esbuild';
import { rollup } from 'rollup';
import webpack from 'webpack';

const target = process.argv[2];
const shop = join(import.meta.dirname, 'shop');
const entry = join(shop, 'scenarios.js');

async function byEsbuild(minify = true) {
  const options = { entryPoints: [entry], bundle: true, minify, format: 'iife', sourcemap: 'external', write: false };
  const { outputFiles } = await build({ ...options, outdir: shop });
  const text = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text;
  return { bundle: text('.js'), map: text('.map') };
}

async function byRollup() {
  const bundle = await rollup({ input: entry, plugins: [terser()] });
  const { output } = await bundle.generate({ format: 'iife', sourcemap: true, file: join(shop, 'bundle.js') });
  return { bundle: output[0].code, map: output[0].map.toString() };
}

async function byWebpack() {
  const folder = join(tmpdir(), 'bundles-of-webpack');
  const output = { path: folder, filename: 'bundle.js' };
  const options = { mode: 'production', target: 'web', devtool: 'source-map', entry, output, context: shop };
  const files = {};
  await new Promise((resolve, reject) => {
    const compiler = webpack(options);
    compiler.outputFileSystem = {
      mkdir: (_path, ...rest) => rest.at(-1)(null),
      stat: (_path, done) => done(Object.assign(new Error('none'), { code: 'ENOENT' })),
      lstat: (_path, done) => done(Object.assign(new Error('none'), { code: 'ENOENT' })),
      readFile: (_path, done) => done(new Error('none')),
      writeFile: (path, content, done) => {
        files[path] = content.toString();
        done(null);
      },
      join,
    };
    compiler.run((error, stats) =>
      error ? reject(error) : stats.hasErrors() ? reject(new Error(stats.toString())) : resolve(),
    );
  });
  return { bundle: files[join(folder, 'bundle.js')], map: files[join(folder, 'bundle.js.map')] };
}

/** swc makes the text of esbuild's unminified bundle short; its map leads to that text. */
async function bySwc() {
  const { bundle } = await byEsbuild(false);
  const { code, map } = minifySync({ 'shop.js': bundle }, { compress: true, mangle: true, sourceMap: true });
  return { bundle: code, map, expected: await run(bundle, 'shop.js') };
}

const place = /at (?:async )?(?:(.*?) \()?([^()\s]+):(\d+):(\d+)\)?$/;
/** Frames of a stack inside files of this name, the crash first. */
function framesOf(stack, file) {
  return stack.split('\n').flatMap((line) => {
    const [, called = '', name, row, column] = place.exec(line) ?? [];
    return name?.includes(file)
      ? [{ function: called, file: name.split('/').at(-1), line: Number(row), column: Number(column) }]
      : [];
  });
}

async function stacksOf(scenarios, file) {
  const stacks = {};
  for (const [name, scenario] of Object.entries(scenarios)) {
    try {
      await scenario();
      throw new Error(`${name} did not fail`);
    } catch (error) {
      stacks[name] = framesOf(error.stack, file);
    }
  }
  return stacks;
}

/** Runs a script, and returns the stacks of its scenarios. */
async function run(script, filename) {
  delete globalThis.scenarios;
  vm.runInThisContext(script, { filename });
  return stacksOf(globalThis.scenarios, filename);
}

Error.stackTraceLimit = 50;
await import(pathToFileURL(entry).href);
const original = await stacksOf(globalThis.scenarios, 'record/shop/');
for (const [name, make] of Object.entries({ esbuild: byEsbuild, rollup: byRollup, webpack: byWebpack, swc: bySwc })) {
  const { bundle, map, expected = original } = await make();
  const recorded = { bundle, map, stacks: await run(bundle, 'bundle.js'), expected };
  writeFileSync(join(target, `${name}.json`), `${JSON.stringify(recorded, null, 1)}\n`);
}
