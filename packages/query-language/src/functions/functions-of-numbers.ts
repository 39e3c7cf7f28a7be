/** Numbers: functions of single rows, a line each; `function-table.ts` says how the lines are read. */
export const numberLines = `
  intDiv(number, number) integer
  intDivOrZero(number, number) integer
  moduloOrZero(number, number) 1
  positiveModulo(number, number) 1
  gcd(integer, integer) integer
  lcm(integer, integer) integer
  negate(number) 1
  abs(number) 1
  sign(number) integer
  round(number, number?) float
  roundBankers(number, number?) float
  floor(number, number?) float
  ceil(number, number?) float
  ceiling = ceil(number, number?) float
  trunc(number, number?) float
  truncate = trunc(number, number?) float
  roundDown(number, array) float
  roundToExp2(number) float
  roundDuration(number) integer
  roundAge(number) integer
  width_bucket = widthBucket(number, number, number, number) integer
  widthBucket(number, number, number, number) integer
  pow(number, number) float
  power = pow(number, number) float
  sqrt(number) float
  cbrt(number) float
  exp(number) float
  exp2(number) float
  exp10(number) float
  log(number) float
  ln = log(number) float
  log2(number) float
  log10(number) float
  log1p(number) float
  sigmoid(number) float
  factorial(number) integer
  hypot(number, number) float
  degrees(number) float
  radians(number) float
  erf(number) float
  erfc(number) float
  lgamma(number) float
  tgamma(number) float
  sin(number) float
  cos(number) float
  tan(number) float
  asin(number) float
  acos(number) float
  atan(number) float
  atan2(number, number) float
  sinh(number) float
  cosh(number) float
  tanh(number) float
  pi() float!
  e() float!
  bitAnd(integer, integer) integer
  bitOr(integer, integer) integer
  bitXor(integer, integer) integer
  bitNot(integer) integer
  bitShiftLeft(integer, integer) integer
  bitShiftRight(integer, integer) integer
  bitCount(integer) integer
  bitTest(integer, integer) integer
  isNaN(number) boolean
  isFinite(number) boolean
  isInfinite(number) boolean
  ifNotFinite(number, number) float
  isZeroOrNull(number) boolean!
  rand() integer
  rand64() integer
  randCanonical() float
  generateUUIDv4() uuid
`;
