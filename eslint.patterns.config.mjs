// Rules for patterns alone: none may take more than linear time, whatever text it is tried on. A bound on the length of the
// text is no reason to switch them off. The first tool calculates, the second also tries texts; each finds what the other does not.
import redos from 'eslint-plugin-redos';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

export default [
  { ignores: ['**/node_modules/**', '**/generated/**', '.tools/**', '.millrace/**'] },
  {
    files: ['**/*.ts', '**/*.mjs', '**/*.cjs'],
    // Tests look at texts of their own.
    ignores: ['**/*.test.ts', '**/test/**', 'tests/**'],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { redos, regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
      // The tool's own bounds are counted in tries and steps: the longest pattern takes it 2 s, and no machine is as slow as this.
      'redos/no-vulnerable': ['error', { cache: false, timeout: 60_000 }],
    },
  },
];
