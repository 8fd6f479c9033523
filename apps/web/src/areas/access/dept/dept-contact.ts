import { DeptDraft, DeptEdit, type DeptRow } from '@tocsin/contract/access/dept'

/** Validates number and address; masks that the user may not see through are sent back unchanged. */
export const contactSchema = (dept: DeptRow | undefined) => (dept ? DeptEdit : DeptDraft)
