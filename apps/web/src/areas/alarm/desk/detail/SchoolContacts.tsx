import { useQuery } from '@tanstack/react-query'
import { warnRecords } from '@tocsin/contract/alarm/records'
import { School } from '@tocsin/contract/school/school'
import { labelIn } from '@tocsin/contract/field'
import { useTranslation } from 'react-i18next'
import { inlineQuery } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { Contacts, Phone } from '#areas/school/Contacts.tsx'

const FRESH_MS = 60_000

/**
 * Under a key of its own: what happens to a record says nothing of whom to call, and each reading of numbers is put on
 * record.
 */
const useContacts = (id: number) =>
  useQuery({
    ...inlineQuery(warnRecords.contacts, { query: { id } }),
    queryKey: ['contacts', id],
    staleTime: FRESH_MS,
  })

/** Whom at the school one can call about a record. */
export const SchoolContacts = ({ recordId }: { recordId: number }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const query = useContacts(recordId)
  return (
    <section className="desk-section">
      <h3>{t('school.contacts')}</h3>
      <QueryResult query={query}>
        {({ dutyPhone, contacts }) => (
          <>
            {dutyPhone !== null && (
              <p>
                {labelIn(lang, School.shape.dutyPhone)} <Phone phone={dutyPhone} />
              </p>
            )}
            <Contacts contacts={contacts} />
          </>
        )}
      </QueryResult>
    </section>
  )
}
