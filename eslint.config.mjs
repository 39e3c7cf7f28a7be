import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const environmentRule = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment; pass values.',
};
const defaultExportRule = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' };

export default tseslint.config(
  { ignores: ['**/node_modules/**', '**/generated/**', '.tools/**', '.millrace/**'] },
  {
    files: ['**/*.ts'],
    extends: [js.configs.recommended, ...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      'no-restricted-syntax': ['error', environmentRule, defaultExportRule],
      'no-control-regex': 'off',
      // A port's method is async because another implementation of it waits.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/await-thenable': 'off',
    },
  },
  {
    // The rim: where values come from the environment, or are handed to a child.
    files: ['**/config.ts', '**/main.ts', '**/scripts/*.ts', 'packages/testkit/**/*.ts', 'tests/**/*.ts', '**/*.test.ts'],
    rules: { 'no-restricted-syntax': ['error', defaultExportRule] },
  },
  {
    // Replies are looked at as they come, and ports are faked method by method.
    files: ['**/*.test.ts', '**/test-*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
  {
    // Jest finds these two by their default export.
    files: ['packages/testkit/src/global-*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
