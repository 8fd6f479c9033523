import {
  type OrderSubjectOption,
  orderSubjects,
  type OrderSubjectType,
  SupervisionOrderDraft,
} from '@tocsin/contract/supervise/order'
import { supervisionOrders } from '@tocsin/contract/supervise/order-calls'
import { useQuery } from '@tanstack/react-query'
import { Form, Select, type SelectProps } from 'antd'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#api/query.ts'
import { enumOptions } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { useDebouncedValue } from '#ui/list/use-debounced-value.ts'
import { fillFacts, subjectFacts } from './subject-facts.ts'

type Props = Omit<SelectProps<number>, 'options' | 'onChange'> & {
  subjectType: OrderSubjectType
  onChange?: (id: number | null) => void
  /** `before`: the subject chosen until now. */
  onPick: (subject: OrderSubjectOption | undefined, before: OrderSubjectOption | undefined) => void
}

const labelOf = ({ label, schoolName, place }: OrderSubjectOption) =>
  [label, schoolName === label ? null : schoolName, place].filter(Boolean).join(' · ')

/** An alarm, installed device or school in sight, searched by its number, name or place. */
const SubjectSelect = ({ subjectType, value, onChange, onPick, ...rest }: Props) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const keyword = useDebouncedValue(typed)
  const found = useQuery({
    ...queryFor(supervisionOrders.subjects, { query: { subjectType, ...(keyword && { keyword }) } }),
    placeholderData: (before) => before,
  })
  const chosen = useQuery({
    ...queryFor(supervisionOrders.subjects, { query: { subjectType, chosenId: value ?? 1 } }),
    enabled: typeof value === 'number',
  })
  const rows = [...(found.data ?? []), ...(typeof value === 'number' ? (chosen.data ?? []) : [])]
  // A subject that the user does not see any more.
  const gone = typeof value === 'number' && chosen.data?.length === 0 ? [value] : []
  const options = [
    ...new Map(rows.map((row) => [row.id, { value: row.id, label: labelOf(row) }])).values(),
    ...gone.map((id) => ({ value: id, label: t('system.unoffered', { id }) })),
  ]
  return (
    <Select<number>
      allowClear
      loading={found.isFetching}
      placeholder={t('order.chooseSubject')}
      options={options}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      {...(typeof value === 'number' && { value })}
      {...rest}
      onChange={(id: number | undefined) => {
        onChange?.(id ?? null)
        const find = (of: unknown) => rows.find((row) => row.id === of)
        onPick(find(id), find(value))
      }}
    />
  )
}

/** What an order is about; a chosen subject fills the facts and its school. @param initial the subject of the address */
export const SubjectFields = ({ initial }: { initial?: OrderSubjectOption | undefined }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const form = Form.useFormInstance()
  const subjectType = (Form.useWatch('subjectType') ?? 'NONE') as OrderSubjectType
  const factsOf = (subject: OrderSubjectOption | undefined, type = subjectType) =>
    subject && { text: subjectFacts(type, subject, lang), schoolId: subject.schoolId }
  const filled = useRef(factsOf(initial, form.getFieldValue('subjectType') as OrderSubjectType))
  const fill = (subject?: OrderSubjectOption, before?: OrderSubjectOption) => {
    const next = factsOf(subject)
    form.setFieldsValue(fillFacts(form.getFieldsValue(true), next, filled.current ?? factsOf(before)))
    filled.current = next
  }
  return (
    <>
      <Field of={SupervisionOrderDraft} name="subjectType">
        <Select
          options={enumOptions('orderSubject', orderSubjects, lang)}
          onChange={() => {
            form.setFieldValue('subjectId', null)
            fill()
          }}
        />
      </Field>
      {subjectType !== 'NONE' && (
        <Field
          of={SupervisionOrderDraft}
          name="subjectId"
          extra={t('order.subjectHelp')}
          required
          rules={[{ required: true, message: t('order.subjectMissing') }]}
        >
          <SubjectSelect key={subjectType} subjectType={subjectType} onPick={fill} />
        </Field>
      )}
    </>
  )
}
