import { UserEdit, type UserRow } from '@tocsin/contract/access/user'
import type { ImportReason } from '@tocsin/contract/files/import'
import type { UserSheetField } from '@tocsin/contract/access/user-import'
import { z } from 'zod'
import type { Found, Lookups } from './lookups.ts'
import { cellError } from '#areas/files/import/cell-errors'
import type { SheetRow } from '#areas/files/import/importer'
import { ruleErrorFrom, ruleError } from './line-errors.ts'

/** The values of a line; empty cells are absent. */
export type Draft = {
  username: string
  nickname?: string
  deptId?: number
  email?: string
  mobile?: string
  sex?: UserRow['sex']
  enabled?: boolean
  roleIds?: number[]
  remark?: string
}

export type ValidatedLine = SheetRow & { draft: Draft; reasons: ImportReason[] }

/** For an update, since masks may come back from an exported spreadsheet; for a new user they are validated later. */
const texts = ['username', 'nickname', 'email', 'mobile', 'remark'] as const

/** Validates each cell by itself. */
export const validateLine = ({ line, cells, hasErrors = false }: SheetRow, lookups: Lookups): ValidatedLine => {
  const draft: Draft = { username: '' }
  const reasons: ImportReason[] = []
  for (const field of texts) {
    const text = cells[field]
    if (text === undefined) continue
    const result = z.safeDecode(UserEdit.shape[field] as z.ZodType<string | null | undefined>, text as never)
    if (result.success) draft[field] = result.data ?? ''
    else reasons.push(...ruleErrorFrom(field, result.error))
  }
  if (cells['username'] === undefined) reasons.push(ruleError('username', 'required'))

  const look = <T>(field: UserSheetField, found: Found<T> | undefined): T | undefined => {
    if (found && 'unfit' in found) reasons.push(cellError(field, found.unfit.code, found.unfit.params))
    return found && 'found' in found ? found.found : undefined
  }
  const choose = <T>(field: UserSheetField, of: (text: string) => T | undefined): T | undefined => {
    const text = cells[field]
    const chosen = text === undefined ? undefined : of(text)
    if (text !== undefined && chosen === undefined) reasons.push(ruleError(field, 'choice'))
    return chosen
  }
  const deptId = cells['deptId'] === undefined ? undefined : look('deptId', lookups.dept(cells['deptId']))
  const roleIds = cells['roles'] === undefined ? undefined : look('roles', lookups.roles(cells['roles']))
  const sex = choose('sex', lookups.sex)
  const enabled = choose('status', lookups.status)
  return {
    line,
    cells,
    hasErrors,
    reasons,
    draft: {
      ...draft,
      ...(deptId !== undefined && { deptId }),
      ...(roleIds !== undefined && { roleIds }),
      ...(sex !== undefined && { sex }),
      ...(enabled !== undefined && { enabled }),
    },
  }
}
