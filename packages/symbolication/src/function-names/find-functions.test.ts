import { describe, expect, test } from '@jest/globals';
import { findFunctions } from './find-functions.ts';

/** Declarations of the functions of a script, as the script has them; `!` behind names that may be changed. */
const declared = (script: string): (string | null)[] =>
  findFunctions(script).map(({ declaration }) => {
    if (declaration === null) return null;
    return script.slice(declaration.start, declaration.end) + (declaration.isKept ? '' : '!');
  });

test.each([
  ['function f(){}', ['f!']],
  ['async function* f(){}', ['f!']],
  ['let f=function(){}', ['f!']],
  ['let f=function g(){}', ['g!']],
  ['let f=async()=>1', ['f!']],
  ['f=()=>1', ['f!']],
  ['a.b.f=()=>1', ['f']],
  ['a[b]=()=>1', [null]],
  ['({f(){},get g(){},async h(){},i:()=>1,"j k":()=>2,1:()=>3})', ['f', 'g', 'h', 'i', '"j k"', '1']],
  [
    'class A{constructor(){}static s(){}#p(){}f=()=>1;[b](){}*[Symbol.iterator](){}}',
    ['constructor', 's', '#p!', 'f', null, '[Symbol.iterator]'],
  ],
  ['({a:b=()=>1}={})', ['b!']],
  ['let {c=()=>2}={};(d=()=>3)=>1', ['c!', null, 'd!']],
  ['g(function(){},()=>1)', [null, null]],
  ['(function(){})()', [null]],
  ['#!/usr/bin/env node\nimport a from "a";export default function(){};await a', [null]],
  ['const f=()=>1;import.meta.url;export{f}', ['f!']],
  ['with(a){f=()=>1}return', ['f!']],
])('functions of %s are declared as %j', (script, names) => {
  expect(declared(script)).toEqual(names);
});

describe('there are none', () => {
  test.each([
    ['in text that is no JavaScript', 'function ('],
    ['in HTML', '<!doctype html><p>Not found'],
    ['in what nests too deeply', `${'('.repeat(1_000_000)}()=>1`],
    ['in functions inside functions, without end', '()=>{'.repeat(1_000_000)],
  ])('%s', (_name, script) => {
    expect(findFunctions(script)).toEqual([]);
  });
});
