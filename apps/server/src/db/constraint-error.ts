import type { Code, Params } from '@tocsin/contract/codes'

/** A refusal as data; `http/errors.ts` turns it into the envelope. */
export type ConstraintError = {
  code: Code
  params?: Params
  /** The param that the database's detail of the error fills. */
  detail?: string
}

const known = new Map<string, ConstraintError>()

/**
 * Names what a violated constraint means to the user; said beside the entity's routes, once per constraint
 * (codebase 12: insert, never check first).
 */
export const registerConstraintErrors = (constraints: Record<string, ConstraintError>): void => {
  for (const [name, conflict] of Object.entries(constraints)) known.set(name, conflict)
}

/** The refusal for a uniqueness, reference or check violation of a known constraint; undefined otherwise. */
export const constraintError = (error: unknown): ConstraintError | undefined => {
  const { code, constraint, detail } = (error ?? {}) as Record<'code' | 'constraint' | 'detail', unknown>
  if (typeof code !== 'string' || !code.startsWith('23') || typeof constraint !== 'string') return undefined
  const found = known.get(constraint)
  return found?.detail ? { ...found, params: { ...found.params, [found.detail]: String(detail ?? '') } } : found
}
