// Rules for test files alone: no test without an assertion, none left focused or switched off, no sleeping.
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';

const noSleep = 'Poll with a deadline instead of sleeping.';

export default [
  { ignores: ['**/node_modules/**', '**/generated/**', '.tools/**', '.millrace/**'] },
  {
    files: ['**/*.test.ts'],
    languageOptions: { parser: tseslint.parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { jest },
    rules: {
      'jest/no-focused-tests': 'error',
      'jest/no-disabled-tests': 'error',
      'jest/no-identical-title': 'error',
      'jest/valid-expect': 'error',
      'jest/no-standalone-expect': 'off',
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect*', 'eventually', 'waitUntil', 'fc.assert', 'describe*', 'assert*'] },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'AwaitExpression > CallExpression[callee.name=/^(sleep|delay|setTimeout)$/]', message: noSleep },
        {
          selector: "AwaitExpression > NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
          message: noSleep,
        },
      ],
    },
  },
];
