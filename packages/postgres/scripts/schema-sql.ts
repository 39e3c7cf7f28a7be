// Prints the SQL that leads from an older schema.prisma (or from nothing) to the present one, for a new migration:
//   git show HEAD:packages/postgres/prisma/schema.prisma > old.prisma
//   node packages/postgres/scripts/schema-sql.ts postgres://user:password@host:port/database old.prisma
// It is Prisma's own schema engine, as WebAssembly (the native one is a download). It wants a running Postgres for its
// version, and changes nothing there.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as schemaEngine from '@prisma/schema-engine-wasm/schema_engine_bg';

// Neither Node's types nor the ES library name it.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, () => void> };
};

// The package's entry file imports its .wasm as a module, which Node refuses without a flag.
const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
const module = new WebAssembly.Module(readFileSync(join(folder, 'schema_engine_bg.wasm')));
const { exports } = new WebAssembly.Instance(module, { './schema_engine_bg.js': { ...schemaEngine } });
schemaEngine.__wbg_set_wasm(exports);
exports['__wbindgen_start']?.();

const read = (path: string) => ({ path, content: readFileSync(path, 'utf8') });
const present = read(join(import.meta.dirname, '../prisma/schema.prisma'));
const [address, older] = process.argv.slice(2);
if (address === undefined) throw new Error('usage: schema-sql.ts <address of a database> [<older schema.prisma>]');

// The engine reads host, port and so on from the adapter, and takes no address for them.
const url = new URL(address);
const adapter = bindMigrationAwareSqlAdapterFactory(
  new PrismaPg({
    host: url.hostname,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    allowExitOnIdle: true,
  }),
);
const engine = await schemaEngine.SchemaEngine.new(
  { datamodels: [[present.path, present.content]] },
  () => {},
  adapter,
);
const { stdout } = await engine.diff({
  from: older === undefined ? { tag: 'empty' } : { tag: 'schemaDatamodel', files: [read(older)] },
  to: { tag: 'schemaDatamodel', files: [present] },
  script: true,
  exitCode: null,
  filters: { externalTables: [], externalEnums: [] },
});
process.stdout.write(stdout ?? '');
