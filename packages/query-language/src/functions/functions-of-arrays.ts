/** Arrays, maps, tuples and JSON: functions of single rows, a line each; `function-table.ts` says how the lines are read. */
export const arrayLines = `
  length(textual) integer
  arrayMap(lambda, array...) [lambda]
  arrayFilter(lambda, array...) 2!
  arrayExists(lambda, array...) boolean!
  arrayAll(lambda, array...) boolean!
  arrayCount(lambda, array...) integer!
  arrayFirst(lambda, array...) item
  arrayFirstOrNull(lambda, array...) item?
  arrayFirstIndex(lambda, array...) integer!
  arrayLast(lambda, array...) item
  arrayLastOrNull(lambda, array...) item?
  arrayLastIndex(lambda, array...) integer!
  arrayFill(lambda, array...) 2!
  arrayReverseFill(lambda, array...) 2!
  arraySplit(lambda, array...) unknown
  arrayReverseSplit(lambda, array...) unknown
  arrayDistinct(array) 1
  arrayReverse(array) 1
  arrayUniq(array...) integer!
  arrayConcat(array...) 1
  arrayCompact(array) 1
  arrayIntersect(array, array...) 1
  arrayUnion(array, array...) 1
  arrayResize(array, integer, any?) 1
  arrayRotateLeft(array, integer) 1
  arrayRotateRight(array, integer) 1
  arrayShiftLeft(array, integer, any?) 1
  arrayShiftRight(array, integer, any?) 1
  arrayShuffle(array) 1
  arrayRandomSample(array, number) 1
  arrayFlatten(array) 1
  arrayElement(array, integer) item
  arrayElementOrNull(array, integer) item?
  arrayEnumerate(array) [integer]!
  arrayEnumerateUniq(array, array...) [integer]!
  arrayEnumerateDense(array, array...) [integer]!
  arrayWithConstant(integer, any) unknown
  arrayPushBack(array, any) 1
  arrayPushFront(array, any) 1
  arrayPopBack(array) 1
  arrayPopFront(array) 1
  arraySlice(array, integer, integer?) 1
  arrayJoin(array) item
  unnest = arrayJoin(array) item
  arrayStringConcat(array, text?) text!
  arrayZip(array...) unknown
  has(array, any) boolean!
  hasAny(array, array) boolean!
  hasAll(array, array) boolean!
  hasSubstr(array, array) boolean!
  indexOf(array, any) integer!
  countEqual(array, any) integer!
  range(integer, integer?, integer?) [integer]!
  tupleElement(any, number) unknown
  mapKeys(any) [text]!
  mapValues(any) unknown
  mapContains(any, text) boolean!
  mapContainsKey = mapContains(any, text) boolean!
  mapFilter(lambda, any) 2!
  mapExists(lambda, any) boolean!
  mapAll(lambda, any) boolean!
  mapApply(lambda, any) unknown
  mapUpdate(any, any) 1
  mapConcat(any, any...) 1
  mapSort(any) 1
  tupleConcat(any, any...) unknown

  JSONExtractString(text, textual...) text
  JSONExtractInt(text, textual...) integer
  JSONExtractUInt(text, textual...) integer
  JSONExtractFloat(text, textual...) float
  JSONExtractBool(text, textual...) boolean
  JSONExtractRaw(text, textual...) text
  JSONExtractArrayRaw(text, textual...) [text]!
  JSONExtractKeys(text, textual...) [text]!
  JSONHas(text, textual...) boolean
  JSONLength(text, textual...) integer
  JSONType(text, textual...) text
  isValidJSON(text) boolean
  JSONExtractKeysAndValuesRaw(text, textual...) [tuple]!
  JSONArrayLength(text) integer?
  JSON_VALUE(text, text) text
  JSON_QUERY(text, text) text
  JSON_EXISTS(text, text) boolean
  toJSONString(any) text!
  simpleJSONExtractString(text, text) text
  simpleJSONExtractRaw(text, text) text
  simpleJSONExtractInt(text, text) integer
  simpleJSONExtractFloat(text, text) float
  simpleJSONExtractBool(text, text) boolean
  simpleJSONHas(text, text) boolean
  visitParamExtractString = simpleJSONExtractString(text, text) text
  visitParamExtractRaw = simpleJSONExtractRaw(text, text) text
  visitParamExtractInt = simpleJSONExtractInt(text, text) integer
  visitParamExtractFloat = simpleJSONExtractFloat(text, text) float
  visitParamExtractBool = simpleJSONExtractBool(text, text) boolean
  visitParamHas = simpleJSONHas(text, text) boolean
`;
