/** Texts and addresses: functions of single rows, a line each; `function-table.ts` says how the lines are read. */
export const textLines = `
  lower(text) text
  upper(text) text
  lowerUTF8(text) text
  upperUTF8(text) text
  initcap(text) text
  initcapUTF8(text) text
  lcase = lower(text) text
  ucase = upper(text) text
  concatWithSeparator(text, text...) text
  concat_ws = concatWithSeparator(text, text...) text
  substring(text, integer, integer?) text
  substr = substring(text, integer, integer?) text
  substringUTF8(text, integer, integer?) text
  substringIndex(text, text, integer) text
  left(text, integer) text
  right(text, integer) text
  leftUTF8(text, integer) text
  rightUTF8(text, integer) text
  leftPad(text, integer, text?) text
  lpad = leftPad(text, integer, text?) text
  rightPad(text, integer, text?) text
  rpad = rightPad(text, integer, text?) text
  space(integer) text
  lengthUTF8(text) integer
  char_length = lengthUTF8(text) integer
  character_length = lengthUTF8(text) integer
  ascii(text) integer
  trim = trimBoth(text, text?) text
  trimBoth(text, text?) text
  trimLeft(text, text?) text
  ltrim = trimLeft(text, text?) text
  trimRight(text, text?) text
  rtrim = trimRight(text, text?) text
  replace = replaceAll(text, text, text) text
  replaceAll(text, text, text) text
  replaceOne(text, text, text) text
  replaceRegexpAll(text, text, text) text
  replaceRegexpOne(text, text, text) text
  regexp_replace = replaceRegexpAll(text, text, text) text
  translate(text, text, text) text
  translateUTF8(text, text, text) text
  appendTrailingCharIfAbsent(text, text) text
  splitByChar(text, text) [text]!
  splitByString(text, text) [text]!
  splitByRegexp(text, text) [text]!
  alphaTokens(text) [text]!
  splitByAlpha = alphaTokens(text) [text]!
  splitByWhitespace(text) [text]!
  splitByNonAlpha(text) [text]!
  ngrams(text, number) [text]!
  startsWith(text, text) boolean
  endsWith(text, text) boolean
  position(text, text, integer?) integer
  positionCaseInsensitive(text, text) integer
  positionUTF8(text, text) integer
  countSubstrings(text, text) integer
  countSubstringsCaseInsensitive(text, text) integer
  countMatches(text, text) integer
  countMatchesCaseInsensitive(text, text) integer
  hasToken(text, text) boolean
  hasTokenCaseInsensitive(text, text) boolean
  hasSubsequence(text, text) boolean
  multiSearchAny(text, array) boolean
  multiSearchAnyCaseInsensitive(text, array) boolean
  multiSearchFirstIndex(text, array) integer
  match(text, text) boolean
  extract(text, text) text
  extractAll(text, text) [text]!
  extractGroups(text, text) [text]!
  regexpExtract(text, text, number?) text
  editDistance(beginning, beginning) integer
  levenshteinDistance = editDistance(beginning, beginning) integer
  editDistanceUTF8(beginningUTF8, beginningUTF8) integer
  jaroSimilarity(beginning, beginning) float
  jaroWinklerSimilarity(beginning, beginning) float
  ngramDistance(text, text) float
  ngramSearch(text, text) float
  soundex(text) text
  firstLine(text) text
  toValidUTF8(text) text
  repeat(text, integer) text
  reverse(textual) 1
  reverseUTF8(text) text
  format(text, text...) text
  base64Encode(text) text
  base64Decode = tryBase64Decode(text) text
  tryBase64Decode(text) text
  hex(textual) text
  lowerHex = hex(textual) text
  unhex(text) text
  MD5(text) text
  SHA256(text) text
  SHA1(text) text
  SHA512(text) text
  cityHash64(any...) integer!
  farmHash64(any...) integer!
  murmurHash3_64(any...) integer!
  xxHash64(any...) integer!
  halfMD5(any...) integer!
  sipHash64(any...) integer!
  bar(number, number, number, number?) text
  formatReadableSize(number) text
  formatReadableDecimalSize(number) text
  formatReadableQuantity(number) text
  formatReadableTimeDelta(number, text?, text?) text
  isIPv4String(text) boolean
  isIPv6String(text) boolean
  isIPAddressInRange(text, text) boolean
  IPv4NumToString(number) text

  domain(text) text
  domainWithoutWWW(text) text
  netloc(text) text
  port(text, number?) integer
  cutToFirstSignificantSubdomain(text) text
  cutToFirstSignificantSubdomainWithWWW(text) text
  firstSignificantSubdomain(text) text
  topLevelDomain(text) text
  protocol(text) text
  path(text) text
  pathFull(text) text
  queryString(text) text
  queryStringAndFragment(text) text
  fragment(text) text
  cutQueryString(text) text
  cutFragment(text) text
  cutQueryStringAndFragment(text) text
  cutWWW(text) text
  cutURLParameter(text, text) text
  extractURLParameter(text, text) text
  extractURLParameters(text) [text]!
  extractURLParameterNames(text) [text]!
  decodeURLComponent(text) text
  encodeURLComponent(text) text
  decodeURLFormComponent(text) text
  encodeURLFormComponent(text) text
`;
