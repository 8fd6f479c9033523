import { School } from '@tocsin/contract/school/school'
import { labelIn } from '@tocsin/contract/field'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { QueryResult } from '#ui/result/QueryResult.tsx'
import { useContacts } from './use-contacts.ts'
import { Contacts, Phone } from '#areas/school/contact/Contacts.tsx'

/** The contacts of the school of a record. */
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
