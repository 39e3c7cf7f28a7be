// Imports run one way (ARCHITECTURE.md): contracts and runtime import nothing of ours, other packages those, services packages.
const ours = '^(services|packages|infra|tests)/';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A recursive grammar has recursive functions: only the query language may go round',
      severity: 'error',
      from: { pathNot: '^packages/query-language/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'contracts-import-nothing-of-ours', severity: 'error', from: { path: '^packages/contracts/' }, to: { path: ours, pathNot: '^packages/contracts/' } },
    { name: 'runtime-imports-nothing-of-ours', severity: 'error', from: { path: '^packages/runtime/' }, to: { path: ours, pathNot: '^packages/runtime/' } },
    { name: 'packages-import-packages-only', severity: 'error', from: { path: '^packages/' }, to: { path: '^(services|infra|tests)/' } },
    { name: 'testkit-and-engines-only-in-tests', severity: 'error', from: { path: '^(services|packages/(?!testkit|engines))', pathNot: '\\.test\\.ts$|/test-[^/]+\\.ts$|/(test|testing|test-support)/|contract-suite' }, to: { path: '^packages/(testkit|engines)/' } },
    { name: 'services-import-no-service', severity: 'error', from: { path: '^services/([^/]+)/' }, to: { path: '^services/', pathNot: '^services/$1/' } },
    { name: 'services-import-no-infra', severity: 'error', from: { path: '^services/' }, to: { path: '^(infra|tests)/' } },
    { name: 'service-doors', comment: 'A service is entered by app.ts and admin.ts alone', severity: 'error', from: { path: '^(infra|tests)/' }, to: { path: '^services/[^/]+/src/', pathNot: '^services/[^/]+/src/(app|admin|main|routes|config)\\.ts$' } },
    { name: 'features-import-no-feature', severity: 'error', from: { path: '^services/([^/]+)/src/features/([^/]+)/' }, to: { path: '^services/$1/src/features/', pathNot: '^services/$1/src/features/($2/|[^/]+\\.ts$)' } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^node:|^@prisma/schema-engine-wasm' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)generated/|node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
