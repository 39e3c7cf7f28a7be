// Test files sit beside the code they test: x.test.ts is pure, x.integration.test.ts uses real engines,
// x.system.test.ts the whole product, x.full.test.ts is of the slower tier.
// The engines start once for all of them, in the global set-up. Tiers are chosen in scripts/test.ts.
const transform = {
  '^.+\\.ts$': [
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
  transform,
  transformIgnorePatterns: ['/node_modules/'],
  globalSetup: '<rootDir>/packages/testkit/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/global-teardown.ts',
  // Machines are noisy; whoever waits for something has a deadline of their own.
  testTimeout: 60_000,
  maxWorkers: 2,
};
