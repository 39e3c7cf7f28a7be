/**
 * How tight each operator binds; larger is tighter. An operator takes a right operand of its own power, so that equal ones
 * group from the left. Below the comparisons come IS DISTINCT FROM, `??` and BETWEEN: `a = b BETWEEN c AND d` is `(a = b) BETWEEN …`.
 */
export const power = {
  ternary: 5,
  or: 10,
  and: 20,
  not: 30,
  between: 35,
  ifNull: 40,
  distinct: 45,
  compare: 50,
  overlap: 55,
  add: 60,
  multiply: 70,
  minus: 80,
} as const;
