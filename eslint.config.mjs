import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const environmentRule = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment; pass values.',
};
const defaultExportRule = { selector: 'ExportDefaultDeclaration', message: 'Export by name.' };

/** Prisma makes patterns of ILIKE of these, in which `_` and `%` stand for other characters: look-ups meet what nobody meant. */
const patternRules = [
  {
    selector:
      "ObjectExpression:not(:has(> Property[value.callee.name='escapeLike'])) > Property[key.name='mode'] Literal[value='insensitive']",
    message:
      'An insensitive comparison is a pattern: find users by findUserIdByEmail, compare others by lower(), and let escapeLike make patterns.',
  },
  {
    selector:
      "Property[key.name=/^(?:string_)?(?:contains|starts_?with|ends_?with)$/i][value.type!='FunctionExpression'][value.type!='ArrowFunctionExpression']:not([value.callee.name='escapeLike'])",
    message: 'Prisma makes a pattern of this text: escapeLike first.',
  },
  {
    selector: 'TemplateElement[value.raw=/\\bI?LIKE\\b[^\\u0027]*$/i][tail=false]',
    message: 'A pattern of LIKE is made by like-pattern.ts.',
  },
];

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
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
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
    // Where Prisma is.
    files: ['services/management-api/src/**/*.ts', 'infra/**/*.ts'],
    ignores: ['**/config.ts', '**/scripts/*.ts', '**/*.test.ts', '**/like-pattern.ts'],
    rules: { 'no-restricted-syntax': ['error', environmentRule, defaultExportRule, ...patternRules] },
  },
  {
    // Jest finds these two by their default export.
    files: ['packages/testkit/src/global-*.ts', 'packages/testkit/src/plain-environment.ts'],
    rules: { 'no-restricted-syntax': ['error', environmentRule] },
  },
);
