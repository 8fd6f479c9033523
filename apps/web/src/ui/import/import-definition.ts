import type { Endpoint } from '@tocsin/contract/endpoint'
import type { ImportEndpoints } from '@tocsin/contract/files/import'
import type { ComponentType } from 'react'
import type { z } from 'zod'

/** The importer's own options, added to the query of the import call. */
export type ImportOptions = Record<string, number | string | boolean | undefined>
export type OptionsProps = { value: ImportOptions; onChange: (next: ImportOptions) => void }

/** Texts of one import in the reader's language; without them the general ones are shown. */
export type ImportTexts = {
  title: string
  help?: string
  updateSupport?: string
  /** Shown with the result when rows were created. */
  createdHint?: string
}

/** All that a list page states about its import. */
export type ImportDefinition = {
  endpoints: ImportEndpoints
  /** The name of the job. */
  jobName: string
  /** The columns, with their headings. */
  sheet: z.ZodObject
  /** The field that names a row. */
  key: string
  useTexts: () => ImportTexts
  /** Where it goes on, for an import that belongs to one page of several: an unfinished one of another is not shown. */
  page?: string
  /** The list that is read again after an import. */
  list: Endpoint
  /** Whether existing rows can be changed. Absent: they can. */
  canUpdate?: boolean
  Options?: ComponentType<OptionsProps>
}
