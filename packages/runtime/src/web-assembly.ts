import { readFileSync } from 'node:fs';

declare const WebAssembly: {
  Module: new (bytes: Buffer) => object;
  Instance: new (module: object) => { exports: unknown };
};

/**
 * Compiles a file of WebAssembly that imports nothing. Each call of the function that is returned makes an instance with a memory
 * of its own. Nothing checks that it exports what the type `Exports` says. @throws when there is no such file, or it is no WebAssembly
 */
export function loadAssembled<Exports>(path: string): () => Exports {
  const compiled = new WebAssembly.Module(readFileSync(path));
  return () => new WebAssembly.Instance(compiled).exports as Exports;
}
