import { readFileSync } from 'node:fs';

declare const WebAssembly: {
  Module: new (bytes: Buffer) => object;
  Instance: new (module: object) => { exports: unknown };
};

/**
 * Compiles an assembled file, which imports nothing. Each call of what is answered makes an instance with a memory of its own;
 * `Exports` is believed. @throws when there is no such file, or it is no WebAssembly
 */
export function loadAssembled<Exports>(path: string): () => Exports {
  const compiled = new WebAssembly.Module(readFileSync(path));
  return () => new WebAssembly.Instance(compiled).exports as Exports;
}
