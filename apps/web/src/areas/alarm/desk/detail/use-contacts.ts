import { useQuery } from '@tanstack/react-query'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { inlineQuery } from '#api/query.ts'

const FRESH_MS = 60_000

/**
 * Contacts of the school of a record. The key is separate, because changes of the record do not change the contacts
 * and each read of numbers is audited.
 */
export const useContacts = (id: number, hasSchool = true) =>
  useQuery({
    ...inlineQuery(warnRecords.contacts, { query: { id } }),
    queryKey: ['contacts', id],
    staleTime: FRESH_MS,
    enabled: hasSchool,
  })
