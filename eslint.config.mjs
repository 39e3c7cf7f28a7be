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
    },
  },
  {
    // The rim: where values come from the environment, or are handed to a child.
    files: ['**/config.ts', '**/scripts/*.ts', 'tests/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', defaultExportRule] },
  },
  {
    // Jest finds these two by their default export.
    files: ['packages/testkit/src/global-*.ts'],
    rules: { 'no-restricted-syntax': ['error', environmentRule] },
  },
);
