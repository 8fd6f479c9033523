import { type HandoverUnit, handovers } from '@tocsin/contract/security/handover'
import { useQuery } from '@tanstack/react-query'
import { Flex, Input, Select, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { QueryResult } from '#ui/result/QueryResult.tsx'

const MAX_NOTE = 500
const keyOf = ({ schoolId, deptId }: HandoverUnit) => `${schoolId ?? ''}-${deptId ?? ''}`

type Props = { onClose: () => void; onStarted: (id: number) => void }

const Form = ({ units, onClose, onStarted }: Props & { units: readonly HandoverUnit[] }) => {
  const { t } = useTranslation()
  const [key, setKey] = useState(() => (units[0] ? keyOf(units[0]) : undefined))
  const [note, setNote] = useState('')
  const { mutate, isPending } = useApiMutation(handovers.create)
  const unit = units.find((unit) => keyOf(unit) === key)
  const start = () => {
    if (!unit) return
    const { schoolId, deptId } = unit
    mutate(
      { body: { schoolId, deptId, note: note.trim() || null } },
      {
        onSuccess: (id) => {
          onClose()
          onStarted(id)
        },
      },
    )
  }
  return (
    <AppModal
      title={t('handover.start')}
      okText={t('handover.start')}
      okButtonProps={{ loading: isPending, disabled: !unit }}
      cancelText={t('list.cancel')}
      onOk={start}
      onCancel={onClose}
    >
      <Flex vertical gap="small">
        <Typography.Text type="secondary">{t('handover.startHelp')}</Typography.Text>
        <Select
          aria-label={t('handover.unit')}
          showSearch={{ optionFilterProp: 'label' }}
          {...(key !== undefined && { value: key })}
          options={units.map((unit) => ({
            value: keyOf(unit),
            label: unit.isOnDuty ? `${unit.name} · ${t('handover.onDuty')}` : unit.name,
          }))}
          onChange={(value: string) => setKey(value)}
        />
        <Input.TextArea
          value={note}
          maxLength={MAX_NOTE}
          rows={3}
          aria-label={t('handover.note')}
          placeholder={t('handover.notePlaceholder')}
          onChange={({ target }) => setNote(target.value)}
        />
      </Flex>
    </AppModal>
  )
}

/** Which unit is handed over, and what the next person should know. */
export const StartHandoverDialog = (props: Props) => {
  const query = useQuery(inlineQuery(handovers.units))
  return <QueryResult query={query}>{(units) => <Form units={units} {...props} />}</QueryResult>
}
