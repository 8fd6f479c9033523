import { canReceiveCode, type EmergencyContact } from '@tocsin/contract/school/contact'
import type { SchoolDetail } from '@tocsin/contract/school/school'
import { schools } from '@tocsin/contract/school/school'
import { schoolEdits } from '@tocsin/contract/school/school-edits'
import { Button, Flex } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'
import { CodeDialog } from './CodeDialog.tsx'
import { today } from './verification.ts'

type Props = { school: Pick<SchoolDetail, 'id' | 'version'>; contact: EmergencyContact; position: number }

/**
 * Verifies the number of a contact: by a code that its owner reads back, or by the confirmation of a user who called.
 */
export const VerifyContact = ({ school: { id, version }, contact, position }: Props) => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const send = useApiMutation(schoolEdits.sendContactCode, { fieldsInline: true })
  const verify = useApiMutation(schoolEdits.verifyContact, { fieldsInline: true, also: [schools.get] })
  const { name, phone, verifiedOn } = contact
  if (verifiedOn === today()) return null
  const ask = async () => {
    const text = t('school.spokeHelp')
    if (!(await confirm({ title: t('school.spokeAsk', { name }), text, yes: t('school.spoke') }))) return
    verify.mutate(
      { body: { id, version, position } },
      { onSuccess: () => notify.success(t('school.numberVerified', { name })) },
    )
  }
  return (
    <Flex gap={4} wrap>
      {canReceiveCode(phone) && (
        <Button size="small" onClick={() => setOpen(true)} aria-label={`${t('school.verifyByCode')} ${name}`}>
          {t('school.verifyByCode')}
        </Button>
      )}
      <Button
        size="small"
        loading={verify.isPending}
        onClick={() => void ask()}
        aria-label={`${t('school.spoke')} ${name}`}
      >
        {t('school.spoke')}
      </Button>
      {isOpen && (
        <CodeDialog
          name={name}
          phone={phone}
          send={() => send.mutateAsync({ body: { id, position } })}
          verify={(code) => verify.mutateAsync({ body: { id, version, position, code } })}
          onClose={() => setOpen(false)}
        />
      )}
    </Flex>
  )
}
