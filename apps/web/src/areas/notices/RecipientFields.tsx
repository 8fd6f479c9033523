import type { Lang } from '@tocsin/contract/field'
import { fieldErrorText } from '@tocsin/contract/issue'
import { NoticeDraft } from '@tocsin/contract/notices/notice'
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { useLang } from '#texts/i18n.ts'
import { Field } from '#ui/Field.tsx'
import { DeptsSelect, PeopleSelect } from './receivers.tsx'

/** Named receivers are required when the target needs them; the contract omits other fields. */
const named = (name: 'deptIds' | 'userIds', lang: Lang) => ({
  validator: async (_: unknown, ids: readonly number[] | undefined) => {
    if (ids?.length) return
    throw new Error(fieldErrorText({ field: name, rule: 'required' }, lang))
  },
})

/** Departments or people, as the target of the form says. */
export const RecipientFields = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const target: unknown = Form.useWatch('target')
  if (target === 'DEPT')
    return (
      <Field of={NoticeDraft} name="deptIds" required rules={[named('deptIds', lang)]} extra={t('notice.deptsHelp')}>
        <DeptsSelect />
      </Field>
    )
  if (target !== 'USER') return null
  return (
    <Field of={NoticeDraft} name="userIds" required rules={[named('userIds', lang)]}>
      <PeopleSelect />
    </Field>
  )
}
