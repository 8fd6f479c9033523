import { contactRoles, type EmergencyContact } from '@tocsin/contract/school/contact'
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { ContactVerification } from './ContactVerification.tsx'
import { today } from './verification.ts'

const MAX_CONTACTS = 10

type Props = { id?: string; value?: readonly EmergencyContact[]; onChange?: (contacts: EmergencyContact[]) => void }

/** Contacts in calling order; a changed number is unverified. */
export const ContactsInput = ({ id, value = [], onChange }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const set = (at: number, part: Partial<EmergencyContact>) =>
    onChange?.(value.map((contact, n) => (n === at ? { ...contact, ...part } : contact)))
  const move = (at: number, step: -1 | 1) => {
    const moved = value[at]
    if (!moved) return
    onChange?.(value.toSpliced(at, 1).toSpliced(at + step, 0, moved))
  }
  return (
    <Flex vertical gap="small" {...(id && { id })}>
      {value.map((contact, at) => {
        const n = at + 1
        return (
          // Rows are identified by their index only.
          <Flex key={at} gap="small" wrap align="center" role="group" aria-label={t('school.contactOf', { n })}>
            <Select
              aria-label={t('school.contactRole', { n })}
              value={contact.role}
              options={enumOptions('contactRole', contactRoles, lang)}
              style={{ width: 136 }}
              onChange={(role) => set(at, { role })}
            />
            <Input
              aria-label={t('school.contactName', { n })}
              value={contact.name}
              maxLength={30}
              style={{ width: 120 }}
              onChange={({ target }) => set(at, { name: target.value })}
            />
            <Input
              aria-label={t('school.contactPhone', { n })}
              value={contact.phone}
              maxLength={20}
              inputMode="tel"
              style={{ width: 152 }}
              onChange={({ target }) => set(at, { phone: target.value, verifiedOn: null })}
            />
            <ContactVerification contact={contact} />
            {contact.verifiedOn !== today() && (
              <Button size="small" onClick={() => set(at, { verifiedOn: today() })}>
                {t('school.verifiedToday')}
              </Button>
            )}
            <Button
              type="text"
              disabled={at === 0}
              icon={<ArrowUpOutlined />}
              aria-label={t('school.contactUp', { n })}
              onClick={() => move(at, -1)}
            />
            <Button
              type="text"
              disabled={n === value.length}
              icon={<ArrowDownOutlined />}
              aria-label={t('school.contactDown', { n })}
              onClick={() => move(at, 1)}
            />
            <Button
              type="text"
              icon={<DeleteOutlined />}
              aria-label={t('school.contactRemove', { n })}
              onClick={() => onChange?.(value.toSpliced(at, 1))}
            />
          </Flex>
        )
      })}
      {value.length < MAX_CONTACTS && (
        <Button
          icon={<PlusOutlined />}
          style={{ width: 'fit-content' }}
          onClick={() => onChange?.([...value, { role: 'OTHER', name: '', phone: '', verifiedOn: null }])}
        >
          {t('school.addContact')}
        </Button>
      )}
    </Flex>
  )
}
