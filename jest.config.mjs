// Test files sit beside the code they test: x.test.ts is pure, x.integration.test.ts uses real engines,
// x.system.test.ts the whole product; x.full.test.ts is of the slower tier, and x.alone.test.ts too, of which one runs at a time.
// The engines start once for all of them, in the global set-up. Tiers are chosen in scripts/test.ts.
// Packages that are ES modules alone become CommonJS like our own files: Node's --experimental-vm-modules would load them as
// they are, and never let go of the memory of a suite.
const modulePackages = ['typebox', 'd3-array', 'internmap', '@seriousme/openapi-schema-validator'];
/** Prisma has each of its files in both forms. */
const moduleNameMapper = { '^(@prisma/client/runtime/.*)\\.mjs$': '$1.js' };
const transform = {
  '^.+\\.(?:ts|m?js)$': [
    '@swc/jest',
    { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'commonjs' } },
  ],
};

export default {
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/packages/testkit/src/plain-environment.ts',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/\\.tools/', '/\\.millrace/'],
  modulePathIgnorePatterns: ['/\\.tools/', '/\\.millrace/'],
  moduleNameMapper,
  transform,
  transformIgnorePatterns: [`/node_modules/(?!(?:\\.pnpm/.*/)?(?:${modulePackages.join('|')})/)`],
  globalSetup: '<rootDir>/packages/testkit/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/global-teardown.ts',
  // Machines are noisy; whoever waits for something has a deadline of their own.
  testTimeout: 60_000,
  maxWorkers: 2,
};
