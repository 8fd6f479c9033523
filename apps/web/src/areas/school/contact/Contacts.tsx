import type { EmergencyContact } from '@tocsin/contract/school/contact'
import { Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EnumLabel } from '#ui/EnumTag.tsx'
import { ContactVerification } from './ContactVerification.tsx'
import '../school.css'

const isMasked = (phone: string) => phone.includes('*')

/** A number with a call link; a masked one has none. */
export const Phone = ({ phone }: { phone: string }) =>
  isMasked(phone) ? <strong>{phone}</strong> : <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>

/** Contacts from before verification was recorded have no status. */
const isEdited = (verifiedOn: string | null | undefined): verifiedOn is string | null => verifiedOn !== undefined

/** The contacts of a school, in calling order. */
type Props = {
  contacts: readonly EmergencyContact[]
  /** The actions of each contact, by its position from 1. */
  actions?: (contact: EmergencyContact, position: number) => ReactNode
}

export const Contacts = ({ contacts, actions }: Props) => {
  const { t } = useTranslation()
  if (contacts.length === 0) return <Typography.Text type="secondary">{t('school.noContacts')}</Typography.Text>
  return (
    <>
      <ol className="contacts" aria-label={t('school.contacts')}>
        {contacts.map((contact, at) => {
          const { role, name, phone, verifiedOn } = contact
          return (
            <li key={`${role} ${name} ${phone}`}>
              <span>
                <Typography.Text type="secondary">
                  <EnumLabel kind="contactRole" value={role} />
                </Typography.Text>
                <span>{name}</span>
                <Phone phone={phone} />
                {isEdited(verifiedOn) && <ContactVerification contact={contact} />}
                {actions?.(contact, at + 1)}
              </span>
            </li>
          )
        })}
      </ol>
      {contacts.some(({ phone }) => isMasked(phone)) && (
        <Typography.Text type="secondary">{t('school.numbersMasked')}</Typography.Text>
      )}
    </>
  )
}
