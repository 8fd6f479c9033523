import { parseInstant } from '@tocsin/contract/codecs'
import { ReportDraft, reports } from '@tocsin/contract/insight/report'
import { periodAt, periodBefore, periodDays, type ReportKind } from '@tocsin/contract/insight/report-period'
import { Form } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useApiMutation } from '#api/query.ts'
import { serverNow } from '#api/server-clock.ts'
import { DayPicker } from '#ui/dates/DayPicker.tsx'
import { Field } from '#ui/Field.tsx'
import { toDraft } from '#ui/form.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { notify } from '#ui/notify.ts'
import { SubjectFields } from './SubjectFields.tsx'

type Props = { onClose: () => void }

const KIND = 'MONTH'

/** The last period that has ended. */
const lastDay = (): string => periodDays(periodBefore(KIND, periodAt(KIND, new Date(serverNow())))).toDay

const PeriodHint = () => {
  const { t } = useTranslation()
  const form = Form.useFormInstance()
  const kind: ReportKind | undefined = Form.useWatch('kind', form)
  const day: string | null | undefined = Form.useWatch('day', form)
  const at = day ? parseInstant(day) : undefined
  if (!kind || !at) return <>{t('report.dayHelp')}</>
  const { fromDay, toDay } = periodDays(periodAt(kind, at))
  return <>{t('report.periodIs', { from: fromDay, to: toDay })}</>
}

/** Opens the report once the form has gone, so that leaving the page does not ask about it. */
const OpenReport = ({ id, onClose }: Props & { id: number }) => {
  const navigate = useNavigate()
  const open = useEffectEvent(() => {
    onClose()
    void navigate(`/insight/report/${id}`)
  })
  useEffect(() => open(), [])
  return null
}

/** Issues a report and opens it. */
export const IssueDrawer = ({ onClose }: Props) => {
  const { t } = useTranslation()
  const [issuedId, setIssuedId] = useState<number>()
  const create = useApiMutation(reports.create, { fieldsInline: true })
  const save = async (values: Record<string, unknown>) => {
    const id = await create.mutateAsync({ body: toDraft(ReportDraft, values) })
    notify.success(t('report.issued'))
    setIssuedId(id)
  }
  if (issuedId !== undefined) return <OpenReport id={issuedId} onClose={onClose} />
  return (
    <EditDrawer
      title={t('report.issue')}
      initialValues={{ subjectType: 'SCHOOL', kind: KIND, day: lastDay() }}
      save={save}
      stays
      onClose={onClose}
    >
      <SubjectFields />
      <Field of={ReportDraft} name="day" extra={<PeriodHint />}>
        <DayPicker />
      </Field>
    </EditDrawer>
  )
}
