import type { Code, Params } from '@tocsin/contract/codes'

/** An unreadable spreadsheet, or one protected by a password; `code` when more is known. */
export class UnreadableSpreadsheetError extends Error {
  readonly code: Code | undefined
  readonly params: Params | undefined
  constructor(message: string, code?: Code, params?: Params) {
    super(message)
    this.code = code
    this.params = params
  }
}

/** Why a cell has no usable value; `kind` is the name of its code. */
export type CellProblem = { kind: 'importCellError' | 'importNoResult' | 'importDigits'; text: string }

/** One cell as the spreadsheet program shows it. */
export type CellText = { text: string; problem?: CellProblem }
/** A row of a worksheet, counted from 1; missing cells are holes. */
export type WorksheetRow = { line: number; cells: CellText[] }

/**
 * A filled row. `errors`: by column, the cells without a usable value. `width`: the columns of the file, when more are
 * filled than are read.
 */
export type SheetLine = { line: number; cells: string[]; errors?: Record<number, CellProblem>; width?: number }
