import type { EmergencyContact } from '@tocsin/contract/school/contact'
import { Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { EnumLabel } from '#ui/EnumTag.tsx'
import './school.css'

const isMasked = (phone: string) => phone.includes('*')

/** A number to call; one that is masked is no number to call. */
export const Phone = ({ phone }: { phone: string }) =>
  isMasked(phone) ? <strong>{phone}</strong> : <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>

/** Whom to call at a school, in that order. */
export const Contacts = ({ contacts }: { contacts: readonly EmergencyContact[] }) => {
  const { t } = useTranslation()
  if (contacts.length === 0) return <Typography.Text type="secondary">{t('school.noContacts')}</Typography.Text>
  return (
    <>
      <ol className="contacts" aria-label={t('school.contacts')}>
        {contacts.map(({ role, name, phone }) => (
          <li key={`${role} ${name} ${phone}`}>
            <span>
              <Typography.Text type="secondary">
                <EnumLabel kind="contactRole" value={role} />
              </Typography.Text>
              <span>{name}</span>
              <Phone phone={phone} />
            </span>
          </li>
        ))}
      </ol>
      {contacts.some(({ phone }) => isMasked(phone)) && (
        <Typography.Text type="secondary">{t('school.numbersMasked')}</Typography.Text>
      )}
    </>
  )
}
