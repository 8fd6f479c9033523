import { Id } from '@tocsin/contract/codecs'
import { CodegenColumn, CodegenTable } from '@tocsin/contract/codegen/codegen'
import { editedFilled, table } from './table.ts'

export const codegenTables = {
  codegenTable: table(CodegenTable, [...editedFilled], 'open'),
  codegenColumn: table(CodegenColumn.extend({ tableId: Id }), ['id'], 'open'),
}
