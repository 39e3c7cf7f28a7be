/** Conditions, times and intervals: functions of single rows, a line each; `function-table.ts` says how the lines are read. */
export const timeLines = `
  coalesce(same...) same
  ifNull(same, same) same
  nullIf(same, same) same?
  assumeNotNull(any) 1!
  toNullable(any) 1?
  isNull(any) boolean!
  isNotNull(any) boolean!
  empty(textual) boolean
  notEmpty(textual) boolean
  greatest(same, same...) same
  least(same, same...) same
  max2(number, number) float
  min2(number, number) float

  toTypeName(any) text!
  toUnixTimestamp(time) integer
  toUnixTimestamp64Milli(time) integer
  toUnixTimestamp64Micro(time) integer
  toIntervalSecond(number) interval
  toIntervalMinute(number) interval
  toIntervalHour(number) interval
  toIntervalDay(number) interval
  toIntervalWeek(number) interval
  toIntervalMonth(number) interval
  toIntervalQuarter(number) interval
  toIntervalYear(number) interval

  toStartOfSecond(time, text?) datetime
  toStartOfMinute(time, text?) datetime
  toStartOfFiveMinutes(time, text?) datetime
  toStartOfFiveMinute = toStartOfFiveMinutes(time, text?) datetime
  toStartOfTenMinutes(time, text?) datetime
  toStartOfFifteenMinutes(time, text?) datetime
  toStartOfHour(time, text?) datetime
  toStartOfDay(time, text?) datetime
  toStartOfWeek(time, integer?, text?) date
  toStartOfMonth(time, text?) date
  toStartOfQuarter(time, text?) date
  toStartOfYear(time, text?) date
  toStartOfISOYear(time, text?) date
  toMonday(time, text?) date
  toLastDayOfMonth(time, text?) date
  toLastDayOfWeek(time, integer?, text?) date
  dateDiff('millisecond|second|minute|hour|day|week|month|quarter|year', time, time, text?) integer
  date_diff = dateDiff('millisecond|second|minute|hour|day|week|month|quarter|year', time, time, text?) integer
  timestampDiff = dateDiff('millisecond|second|minute|hour|day|week|month|quarter|year', time, time, text?) integer
  timestamp_diff = dateDiff('millisecond|second|minute|hour|day|week|month|quarter|year', time, time, text?) integer
  age('second|minute|hour|day|week|month|quarter|year', time, time, text?) integer
  addSeconds(time, number) datetime
  addMinutes(time, number) datetime
  addHours(time, number) datetime
  addDays(time, number) 1
  addWeeks(time, number) 1
  addMonths(time, number) 1
  addQuarters(time, number) 1
  addYears(time, number) 1
  subtractSeconds(time, number) datetime
  subtractMinutes(time, number) datetime
  subtractHours(time, number) datetime
  subtractDays(time, number) 1
  subtractWeeks(time, number) 1
  subtractMonths(time, number) 1
  subtractQuarters(time, number) 1
  subtractYears(time, number) 1
  toYear(time, text?) integer
  year = toYear(time, text?) integer
  toQuarter(time, text?) integer
  quarter = toQuarter(time, text?) integer
  toMonth(time, text?) integer
  month = toMonth(time, text?) integer
  toWeek(time, integer?, text?) integer
  week = toWeek(time, integer?, text?) integer
  toISOWeek(time, text?) integer
  toISOYear(time, text?) integer
  toDayOfYear(time, text?) integer
  dayOfYear = toDayOfYear(time, text?) integer
  toDayOfMonth(time, text?) integer
  dayOfMonth = toDayOfMonth(time, text?) integer
  day = toDayOfMonth(time, text?) integer
  toDayOfWeek(time, integer?, text?) integer
  dayOfWeek = toDayOfWeek(time, integer?, text?) integer
  toHour(time, text?) integer
  hour = toHour(time, text?) integer
  toMinute(time, text?) integer
  minute = toMinute(time, text?) integer
  toSecond(time, text?) integer
  second = toSecond(time, text?) integer
  toYearWeek(time, integer?, text?) integer
  toYYYYMM(time, text?) integer
  toYYYYMMDD(time, text?) integer
  toYYYYMMDDhhmmss(time, text?) integer
  toRelativeYearNum(time, text?) integer
  toRelativeQuarterNum(time, text?) integer
  toRelativeMonthNum(time, text?) integer
  toRelativeWeekNum(time, text?) integer
  toRelativeDayNum(time, text?) integer
  toRelativeHourNum(time, text?) integer
  toRelativeMinuteNum(time, text?) integer
  toRelativeSecondNum(time, text?) integer
  toMillisecond(time) integer
  timeSlot(time) datetime
  dateName('year|quarter|month|dayofyear|day|week|weekday|hour|minute|second', time, text?) text
  makeDate(integer, integer, integer) date
  make_date = makeDate(integer, integer, integer) date
  formatDateTime(time, text, text?) text
  date_format = formatDateTime(time, text, text?) text
  toTimeZone(time, text) datetime
  monthName(time) text
`;
