import { CalendarRange, dayKinds, schoolCalendar } from '@tocsin/contract/school/calendar'
import { Form, Input, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { Field } from '#ui/Field.tsx'
import { notify } from '#ui/notify.ts'
import type { DayRange } from './day-range.ts'

const BY_TERM = 'TERM'
type Values = { kind: (typeof dayKinds)[number] | typeof BY_TERM; name?: string | null }

/** Sets the kind of the selected days. */
export const RangeDialog = ({ deptId, range, onClose }: { deptId: number; range: DayRange; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<Values>()
  const { mutateAsync, isPending } = useApiMutation(schoolCalendar.setRange)
  const submit = async ({ kind, name }: Values) => {
    const body = {
      deptId,
      fromDay: range.from,
      toDay: range.to,
      kind: kind === BY_TERM ? null : kind,
      name: name || null,
    }
    await mutateAsync({ body }).then(
      (n) => {
        notify.success(t('calendar.set', { n }))
        onClose()
      },
      () => undefined,
    )
  }
  return (
    <AppModal
      title={t('calendar.setRange', range)}
      okText={t('list.save')}
      okButtonProps={{ loading: isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ kind: 'HOLIDAY' }}
        onFinish={(values: Values) => void submit(values)}
      >
        <Field of={CalendarRange} name="kind">
          <Radio.Group
            options={[...enumOptions('dayKind', dayKinds, lang), { value: BY_TERM, label: t('calendar.byTerm') }]}
          />
        </Field>
        <Field of={CalendarRange} name="name">
          <Input maxLength={32} />
        </Field>
      </Form>
    </AppModal>
  )
}
