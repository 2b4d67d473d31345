/**
 * The steps of a plan with three numbers each: the rows expected, the rows found, and the rows
 * left.
 *
 *     source ──► residual ──► residual        run one by one: rows
 *     └────┴───────────┴───────────┴───────── run up to here: left
 */
import type { PlanStep } from '../api.ts';
import {
  type Conjunction,
  type Disjunction,
  type PhysicalPlan,
  printResidual,
  printSource,
  printTest,
} from '../plan/physicalPlan.ts';
import type { HitSet } from './hitSet.ts';

/** The number of rows that a plan finds, and the form of their set. */
export interface Found {
  readonly rows: number;
  readonly form: HitSet['form'];
}

/** `run` runs any plan; `size`: rows that are there. */
export function planSteps(
  plan: PhysicalPlan,
  size: number,
  run: (plan: PhysicalPlan) => Found,
): readonly PlanStep[] {
  if (plan.op === 'all' || plan.op === 'none') {
    const rows = plan.op === 'all' ? size : 0;
    return [{ does: plan.op, estimate: rows, rows, left: rows, form: plan.op }];
  }
  if (plan.op === 'and') return stepsOf(plan, run);
  const { rows: left, form } = run(plan);
  return [...stepsOf(plan.among, run), { does: printTest(plan), left, form }];
}

function stepsOf(plan: Conjunction, run: (plan: PhysicalPlan) => Found): PlanStep[] {
  const { source, residuals } = plan;
  const step = (does: string, any: Disjunction, before: number): PlanStep => {
    const { rows } = run({ op: 'and', source: { any, listUpTo: 0 }, residuals: [] });
    const { rows: left, form } = run({ ...plan, residuals: residuals.slice(0, before) });
    return { does, estimate: Math.round(any.estimate), rows, left, form };
  };
  return [
    step(printSource(source), source.any, 0),
    ...residuals.map((residual, i) => step(printResidual(residual), residual.any, i + 1)),
  ];
}
