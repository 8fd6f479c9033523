import { DeptDraft, DeptEdit, type DeptRow } from '@tocsin/contract/access/dept'

/** What its number and address may be; the masks of those that the person may not see come back as they are. */
export const contactSchema = (dept: DeptRow | undefined) => (dept ? DeptEdit : DeptDraft)
