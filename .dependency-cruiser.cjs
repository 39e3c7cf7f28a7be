// Imports run one way (ARCHITECTURE.md): contracts, runtime, json, suppression and symbolication import nothing of ours, other packages those, services packages.
const ours = '^(services|packages|infra|tests)/';
// Tests, and what only tests use.
const testing =
  '\\.test\\.ts$|/test-[^/]+\\.ts$|/(test|testing)/|/contract-suite\\.ts$|/canary-setup\\.ts$|^packages/testkit/|^tests/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Types count. Only the grammar is a circle by nature: an expression stands in each of its own parts',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^packages/query-language/src/(parse|tree)/' } },
    },
    {
      name: 'contracts-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/contracts/' },
      to: { path: ours, pathNot: '^packages/contracts/' },
    },
    {
      name: 'runtime-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/runtime/' },
      to: { path: ours, pathNot: '^packages/runtime/' },
    },
    {
      name: 'json-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/json/' },
      to: { path: ours, pathNot: '^packages/json/' },
    },
    {
      name: 'suppression-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/suppression/' },
      to: { path: ours, pathNot: '^packages/suppression/' },
    },
    {
      name: 'symbolication-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^packages/symbolication/' },
      to: { path: ours, pathNot: '^packages/symbolication/' },
    },
    {
      name: 'symbolication-opens-nothing',
      comment: 'Maps name files and addresses; a package that cannot open any never does',
      severity: 'error',
      from: { path: '^packages/symbolication/', pathNot: testing },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|crypto|zlib)$' },
    },
    {
      name: 'captured-event-imports-no-engine',
      severity: 'error',
      from: { path: '^packages/captured-event/' },
      to: { path: ours, pathNot: '^packages/(captured-event|contracts|json|runtime)/' },
    },
    {
      name: 'packages-import-packages-only',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|infra|tests)/' },
    },
    {
      name: 'engines-import-runtime-only',
      comment: 'They know nothing of the product',
      severity: 'error',
      from: { path: '^packages/engines/' },
      to: { path: ours, pathNot: '^packages/(engines|runtime)/' },
    },
    {
      name: 'object-storage-imports-runtime-only',
      comment: 'It knows neither requests nor the product',
      severity: 'error',
      from: { path: '^packages/object-storage/', pathNot: testing },
      to: { path: ours, pathNot: '^packages/(object-storage|runtime)/' },
    },
    {
      name: 'engines-only-in-infra-and-tests',
      severity: 'error',
      from: { path: '^(services|packages/(?!engines/))', pathNot: testing },
      to: { path: '^packages/engines/' },
    },
    { name: 'what-is-for-tests-only-in-tests', severity: 'error', from: { pathNot: testing }, to: { path: testing } },
    {
      name: 'services-import-no-service',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'services-import-no-infra',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^(infra|tests)/' },
    },
    {
      name: 'service-doors',
      comment: 'A service is entered by app.ts, admin.ts and config.ts alone',
      severity: 'error',
      from: { path: '^(infra|tests)/' },
      to: { path: '^services/[^/]+/src/', pathNot: '^services/[^/]+/src/(app|admin|config)\\.ts$' },
    },
    {
      name: 'features-import-no-feature',
      severity: 'error',
      from: { path: '^services/([^/]+)/src/features/([^/]+)/' },
      to: { path: '^services/$1/src/features/', pathNot: '^services/$1/src/features/$2/' },
    },
    {
      name: 'no-unresolved',
      comment: 'The packages of tests/llm/record and tests/errors/record are installed only to record again',
      severity: 'error',
      from: { pathNot: '^tests/(llm|errors)/record/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)generated/|node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
