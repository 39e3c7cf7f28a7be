// The result of an aggregate is nullable as its arguments are. Combinators (-If, -State, …) are added by `combinators.ts`.

/** Aggregate functions, a line each; `function-table.ts` says how the lines are read. */
export const aggregateLines = `
  count(any?) integer!
  sumCount(number) unknown!
  sumKahan(number) float
  sumWithOverflow(number) 1
  uniq(any, any...) integer!
  uniqExact(any, any...) integer!
  uniqCombined(any, any...) integer!
  uniqHLL12(any, any...) integer!
  uniqCombined64(any, any...) integer!
  uniqUpTo(any, any...) integer!
  approx_count_distinct = uniq(any, any...) integer!
  sum(number) 1
  avg(number) float
  avgWeighted(number, number) float
  min(any) 1
  max(any) 1
  every = min(condition) boolean
  any(any) 1
  anyLast(any) 1
  any_value = any(any) 1
  anyHeavy(any) 1
  singleValueOrNull(any) 1?
  first_value = any(any) 1
  last_value = anyLast(any) 1
  argMin(any, any) 1
  argMax(any, any) 1
  median(number) float
  medianExact(number) float
  medianExactLow(number) float
  medianExactHigh(number) float
  medianTDigest(number) float
  medianTiming(number) float
  medianBFloat16(number) float
  quantile(number) float
  quantiles(number) [float]!
  quantileExact(number) float
  quantilesExact(number) [float]!
  quantileExactLow(number) float
  quantileExactHigh(number) float
  quantileExactInclusive(number) float
  quantileExactExclusive(number) float
  quantileExactWeighted(number, weight) float
  quantileTDigest(number) float
  quantilesTDigest(number) [float]!
  quantileTiming(number) float
  quantilesTiming(number) [float]!
  quantileBFloat16(number) float
  quantileDD(number) float
  quantileDeterministic(number, integer) float
  quantileInterpolatedWeighted(number, weight) float
  stddevPop(number) float
  stddevSamp(number) float
  stddev_pop = stddevPop(number) float
  stddev_samp = stddevSamp(number) float
  stddev = stddevPop(number) float
  std = stddevPop(number) float
  varPop(number) float
  varSamp(number) float
  var_pop = varPop(number) float
  var_samp = varSamp(number) float
  skewPop(number) float
  kurtPop(number) float
  skewSamp(number) float
  kurtSamp(number) float
  covarPop(number, number) float
  covarSamp(number, number) float
  corr(number, number) float
  rankCorr(number, number) float
  simpleLinearRegression(number, number) unknown!
  studentTTest(number, number) unknown!
  welchTTest(number, number) unknown!
  cramersV(any, any) float!
  cramersVBiasCorrected(any, any) float!
  theilsU(any, any) float!
  contingency(any, any) float!
  boundingRatio(number, number) float
  deltaSum(number) 1
  deltaSumTimestamp(number, moment) 1
  exponentialMovingAverage(number, moment) float
  maxIntersections(moment, moment) integer
  maxIntersectionsPosition(moment, moment) integer
  histogram(number) unknown!
  sparkbar(any, number) text
  largestTriangleThreeBuckets(any, number) unknown!
  lttb = largestTriangleThreeBuckets(any, number) unknown!
  groupArray(any) [1]!
  groupUniqArray(any) [1]!
  array_agg = groupArray(any) [1]!
  groupArraySorted(any) [1]!
  groupArrayLast(any) [1]!
  groupArraySample(any) [1]!
  groupArrayMovingSum(number) [float]!
  groupArrayMovingAvg(number) [float]!
  groupArrayIntersect(array) 1!
  groupConcat(text) text?
  groupBitAnd(integer) integer
  groupBitOr(integer) integer
  groupBitXor(integer) integer
  sumMap(any, any...) 1
  minMap(any, any...) 1
  maxMap(any, any...) 1
  topK(any) [1]!
  topKWeighted(any, weight) [1]!
  entropy(any) float!
  windowFunnel(moment, condition...) integer!
  sequenceMatch(moment, condition...) boolean!
  sequenceCount(moment, condition...) integer!
  retention(condition...) [integer]!
`;

/** Only with OVER. Aggregates may have it too. */
export const windowLines = `
  row_number() integer!
  rank() integer!
  dense_rank() integer!
  denserank = dense_rank() integer!
  percent_rank() float!
  percentrank = percent_rank() float!
  cume_dist() float!
  ntile(number) integer!
  lag(any, number?, any?) 1?
  lead(any, number?, any?) 1?
  laginframe = lagInFrame(any, number?, any?) 1?
  leadinframe = leadInFrame(any, number?, any?) 1?
  first_value(any) 1?
  last_value(any) 1?
  nth_value(any, number) 1?
`;
