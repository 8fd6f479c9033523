import type { Code, Params } from '@tocsin/contract/codes'

/** A business error as data; `http/errors.ts` turns it into the envelope. */
export type ConstraintError = {
  code: Code
  params?: Params
  /** The parameter that is filled from the database's error detail. */
  detail?: string
}

const known = new Map<string, ConstraintError>()

/**
 * Registers what a violated constraint means to the user. Call it beside the entity's routes, once per constraint
 * (codebase 12: insert without a check before).
 */
export const registerConstraintErrors = (constraints: Record<string, ConstraintError>): void => {
  for (const [name, conflict] of Object.entries(constraints)) known.set(name, conflict)
}

/**
 * The violated constraint. An index over folded names stands for the constraint of the names themselves: for a user both
 * mean that the name is taken.
 */
export const violatedConstraint = (error: unknown): string | undefined => {
  const { code, constraint } = (error ?? {}) as Record<'code' | 'constraint', unknown>
  if (typeof code !== 'string' || !code.startsWith('23') || typeof constraint !== 'string') return undefined
  return constraint.replace(/_fold$/, '')
}

/** Returns the business error for a violated constraint that is registered, otherwise undefined. */
export const constraintError = (error: unknown): ConstraintError | undefined => {
  const found = known.get(violatedConstraint(error) ?? '')
  const { detail } = (error ?? {}) as { detail?: unknown }
  return found?.detail ? { ...found, params: { ...found.params, [found.detail]: String(detail ?? '') } } : found
}
